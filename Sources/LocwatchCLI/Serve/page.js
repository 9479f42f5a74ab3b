'use strict';
// Keeps a page of locwatch current: its head with each event, its figures every 10 s. What is opened, scrolled or selected
// stays, because an element that has not changed is left alone.
const silence = 2500;
let events, heard, heardAt, timer, loaded = 0;

const now = () => performance.now();
const parse = text => new DOMParser().parseFromString(text, 'text/html');
const key = node => node.nodeName + (node.id || node.firstElementChild?.getAttribute('aria-labelledby') || '');

function morph(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.nodeType !== 1) return void (old.data = next.data);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (name !== 'open' && !next.hasAttribute(name)) old.removeAttribute(name);
  next.childNodes.forEach((child, index) => {
    const same = [...old.childNodes].slice(index).find(node => key(node) === key(child));
    const place = old.childNodes[index] ?? null;
    if (same !== place || !same) old.insertBefore(same ?? child.cloneNode(true), place);
    if (same) morph(same, child);
  });
  while (old.childNodes.length > next.childNodes.length) old.lastChild.remove();
}

function show(old, next) {
  const { type, anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
  morph(old, next);
  if (type !== 'Range' || !anchorNode.isConnected || !focusNode.isConnected) return;
  const end = (node, offset) => Math.min(offset, node.length ?? node.childNodes.length);
  getSelection().setBaseAndExtent(anchorNode, end(anchorNode, anchorOffset), focusNode, end(focusNode, focusOffset));
}

function cutOff(words) {
  const live = document.getElementById('live');
  if (live.className === 'cut') return;
  live.className = 'cut';
  document.getElementById('state').textContent = words;
}

async function load() {
  loaded = now();
  try {
    const answer = await fetch('/');
    const page = parse(await answer.text());
    if (!answer.ok || !events) return;
    document.title = page.title;
    for (const part of ['header', 'main']) show(document.querySelector(part), page.querySelector(part));
  } catch { /* It is tried again. */ }
}

function close() {
  events?.close();
  events = null;
}

function hear() {
  heard = now();
  heardAt = new Date();
}

function open() {
  close();
  const opened = now();
  events = new EventSource('/live');
  events.onmessage = ({ data }) => {
    hear();
    show(document.getElementById('live'), parse(data).getElementById('live'));
    // A page without a figure soon has one.
    if (heard - loaded > (document.querySelector('main section') ? 10000 : 1000)) load();
  };
  events.onerror = close;
  events.opened = opened;
}

function check() {
  if (document.hidden) return;
  if (events && now() - Math.max(heard, events.opened) < silence) return;
  cutOff(`Cut off from locwatch since ${heardAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  open();
}

function watch() {
  clearInterval(timer);
  if (document.hidden) {
    close();
    return cutOff('Paused in the background');
  }
  hear();
  loaded ||= heard;
  open();
  timer = setInterval(check, 500);
}

document.addEventListener('visibilitychange', watch);
watch();
