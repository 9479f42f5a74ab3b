/// The style sheet of a page. Line widths are for drawings that are 400 units wide. The colours of the
/// systems are by Okabe and Ito, made darker or lighter if their contrast on a card was below 3:1.
enum PageStyle {
  /// The digest of the style sheet. A browser applies no other style.
  static let hash = "sha256-rbkUiog6zexy+BjxNnQZ7/rjXALLYBYm2mESkOwhRcM="

  static let text = """
    :root{--paper:#fff;--card:#f6f7f9;--ink:#1a1d21;--soft:#545b64;--line:#d5d9de;--edge:#1a1d21;
    --s1:#648ebd;--s2:#4b7db6;--s3:#316399;--s4:#1d4a7c;--s5:#0a2c55;
    --blue:#2a6fad;--pale:#7c8996;--warm:#c8500a;--ground:#fff;--G:#0072b2;--S:#6b6b6b;--E:#008561;
    --C:#b3588b;--J:#a87100;--R:#c05200;--I:#2a86bd}
    @media screen and (prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1d2125;--ink:#e9ecef;
    --soft:#a8b0b8;--line:#3a4148;--edge:#e9ecef;--s1:#4f7da3;--s2:#5f95c2;--s3:#82b4dc;--s4:#b0d2ee;
    --s5:#e2f0fb;--blue:#5aa9e6;--pale:#8795a3;--warm:#ff9a4d;--ground:#14171a;--G:#4aa3e0;--S:#9a9a9a;
    --E:#2bbd90;--C:#d98cb8;--J:#e69f00;--R:#ee7a26;--I:#7cc8f2}}
    *{box-sizing:border-box}
    html{color-scheme:light dark;-webkit-text-size-adjust:100%}
    body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--paper);color:var(--ink);
    font:16px/1.5 system-ui,sans-serif}
    a{color:var(--blue);padding:.4rem 0}h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0;overflow-wrap:anywhere}
    h2{font-size:1.35rem;line-height:1.3;margin:1.2rem 0 .3rem;overflow-wrap:anywhere}
    h3{font-size:1rem;margin:0 0 .3rem}section>h3{margin-top:.8rem}
    .lead{font-size:1.15rem;margin:.3rem 0 1.2rem;max-width:52rem}
    .note{color:var(--soft);font-size:.9rem;margin:.3rem 0}
    footer{border-top:1px solid var(--line);margin-top:2rem;padding-top:.6rem}
    @media (min-width:44rem){.figures{columns:2;column-gap:1rem}}
    figure,.card{break-inside:avoid;margin:0 0 1rem;padding:.8rem;background:var(--card);border-radius:.5rem;min-width:0}
    .wide svg{max-width:44rem;margin:auto}.wide path,.wide circle{vector-effect:non-scaling-stroke}
    figcaption{font-size:.95rem;margin-top:.4rem}
    svg{display:block;width:100%;height:auto;overflow:visible}
    details{margin-top:.1rem;font-size:.9rem}summary{cursor:pointer;color:var(--soft);padding:.4rem 0}
    .scroll{overflow:auto hidden}section>.scroll{margin-bottom:1rem}
    .halo{paint-order:stroke;stroke:var(--card);stroke-width:3px}
    table{font-size:.93rem;border-collapse:collapse;font-variant-numeric:tabular-nums}
    caption{text-align:left;color:var(--soft)}
    th,td{padding:.15rem .8rem .15rem 0;text-align:right;white-space:nowrap;
    border-bottom:1px solid var(--line)}
    .card th,.card td,.rows th,.rows td{white-space:normal}th{font-weight:600}th:first-child{text-align:left}
    text{font:11px system-ui,sans-serif;fill:var(--ink)}
    .m{text-anchor:middle}.e{text-anchor:end}.u{fill:var(--soft);font-size:10px}
    .n{font-weight:600}.s{font-size:10px}
    path,circle,ellipse{fill:none}
    .g{stroke:var(--line);stroke-width:.7}
    .axis,.mark{stroke:var(--ink);stroke-width:1.2}
    .l1{fill:var(--s1)}.l2{fill:var(--s2)}.l3{fill:var(--s3)}.l4{fill:var(--s4)}.l5{fill:var(--s5)}
    .rtk{fill:var(--ink)}.two{fill:var(--soft)}.search{fill:var(--line);stroke:var(--soft);stroke-width:.8}
    .lost,.outage{fill:var(--warm)}
    .ground{fill:var(--ground);stroke:var(--line)}.cross{stroke:var(--soft);stroke-width:1}
    .ring{stroke:var(--soft);stroke-width:1}.d{stroke:var(--line)}
    .trace{stroke-width:1.4;stroke-linejoin:round}
    .cG{fill:var(--G);stroke:var(--G)}.cS{fill:var(--S);stroke:var(--S)}.cE{fill:var(--E);stroke:var(--E)}
    .cC{fill:var(--C);stroke:var(--C)}.cJ{fill:var(--J);stroke:var(--J)}.cR{fill:var(--R);stroke:var(--R)}
    .cI{fill:var(--I);stroke:var(--I)}.c-{fill:none;stroke:var(--soft)}
    .trace{fill:none}.sat{stroke:var(--edge);stroke-width:1.2}.h{fill:none;stroke-width:3.2}
    .o{fill:var(--card);stroke-width:1.6}.conn{fill:var(--card);stroke:var(--soft)}
    .dot{stroke:var(--blue);stroke-width:3.2;stroke-linecap:round;opacity:.85}
    .c50,.c95,.ell{stroke:var(--ink);stroke-width:1.8}.c95{stroke-dasharray:6 4}
    .ell{stroke:var(--warm);stroke-dasharray:2 3}
    .b1{fill:var(--blue);stroke:var(--blue);stroke-width:1.1;stroke-linejoin:round}
    .b2{fill:var(--pale);stroke:var(--pale);stroke-width:1.1;stroke-linejoin:round}
    .b3{stroke:var(--warm);stroke-width:1.6;stroke-linejoin:round}
    .unknown{stroke:var(--warm);stroke-width:2;stroke-dasharray:.1 5;stroke-linecap:round}
    .arrow{fill:var(--card);stroke:var(--ink);stroke-width:1}
    .fold>summary{font-size:1rem;font-weight:600;color:var(--ink);margin:.4rem 0}
    .bar{fill:var(--blue)}
    .case,.v1,.v2,.v3,.v4,.v5{stroke-width:3.6;stroke-linejoin:round;stroke-linecap:round}
    .case{stroke:var(--soft);stroke-width:4.8}.v1{stroke:var(--s1)}.v2{stroke:var(--s2)}
    .v3{stroke:var(--s3)}.v4{stroke:var(--s4)}.v5{stroke:var(--s5)}.stop{stroke:var(--ink);stroke-width:1.8}
    .start{fill:var(--card);stroke:var(--ink);stroke-width:1.6}.end,.north{fill:var(--ink)}
    @media (min-width:44rem){.wide text{font-size:8px}.wide .u,.wide .s{font-size:7.4px}}
    @media screen and (max-width:30rem){.rows thead{display:none}.rows table,.rows tbody{display:block}
    .rows tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}
    .rows th,.rows td{display:flex;justify-content:space-between;gap:1rem;border:0;padding:0;white-space:normal}
    .rows td::before{content:attr(data-l);color:var(--soft)}.rows td:empty{display:none}}
    @media (max-width:30rem){body{padding:.5rem}figure,.card{padding:.5rem}text{font-size:11.5px}.u,.s{font-size:10.5px}}
    @media print{body{max-width:none;font-size:11pt;padding:0}figure,.card{
    border:1px solid var(--line)}.figures{columns:2}summary{display:none}
    .fold::details-content{content-visibility:visible}
    .scroll{overflow:visible}table{font-size:.85em}details table{font-size:.7em}
    th,td{white-space:normal;padding-right:.5rem}details th,details td{padding-right:.2rem}
    tr{break-inside:avoid}h3{break-after:avoid}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """
}
