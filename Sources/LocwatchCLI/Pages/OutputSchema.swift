/// The JSON Schema of the records that `--json` writes.
enum OutputSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A record of locwatch --json",
      "description": "One line of the output. Unknown values are left out.",
      "oneOf": [
        {
          "$ref": "#/$defs/fix"
        },
        {
          "$ref": "#/$defs/state"
        },
        {
          "$ref": "#/$defs/quality"
        },
        {
          "$ref": "#/$defs/antenna"
        },
        {
          "$ref": "#/$defs/jamming"
        },
        {
          "$ref": "#/$defs/pps"
        },
        {
          "$ref": "#/$defs/selected"
        },
        {
          "$ref": "#/$defs/region"
        },
        {
          "$ref": "#/$defs/report"
        }
      ],
      "$defs": {
        "fix": {
          "type": "object",
          "description": "A position.",
          "required": [
            "type",
            "mode",
            "fix",
            "lat",
            "lon"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "fix"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path on gpsd's machine"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "the time of the fix by the receiver's clock"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when this machine received it, by its own clock"
            },
            "age": {
              "type": "number",
              "description": "received minus time, in seconds"
            },
            "current": {
              "const": false,
              "description": "present if the fix was delayed and is no longer current"
            },
            "timeJump": {
              "type": "number",
              "description": "how far the receiver's clock jumped at this fix, in seconds"
            },
            "mode": {
              "enum": [
                2,
                3
              ],
              "description": "gpsd's mode"
            },
            "fix": {
              "enum": [
                "2d",
                "3d"
              ],
              "description": "the mode in words"
            },
            "quality": {
              "$ref": "#/$defs/qualityName",
              "description": "how the position was computed; absent for an ordinary fix"
            },
            "lat": {
              "type": "number",
              "minimum": -90,
              "maximum": 90,
              "description": "latitude in degrees, north is positive, WGS 84"
            },
            "lon": {
              "type": "number",
              "minimum": -180,
              "maximum": 180,
              "description": "longitude in degrees, east is positive, WGS 84"
            },
            "altMSL": {
              "type": "number",
              "description": "height above mean sea level, in metres"
            },
            "altHAE": {
              "type": "number",
              "description": "height above the WGS 84 ellipsoid, in metres"
            },
            "geoidSep": {
              "type": "number",
              "description": "height of mean sea level above the ellipsoid, in metres"
            },
            "speed": {
              "type": "number",
              "description": "speed over ground, in metres per second"
            },
            "track": {
              "type": "number",
              "description": "course over ground, in degrees from true north"
            },
            "climb": {
              "type": "number",
              "description": "rate of climb, in metres per second, up is positive"
            },
            "accuracy": {
              "type": "number",
              "description": "estimated horizontal error, in metres"
            },
            "epx": {
              "type": "number",
              "description": "estimated error of the longitude, in metres"
            },
            "epy": {
              "type": "number",
              "description": "estimated error of the latitude, in metres"
            },
            "epv": {
              "type": "number",
              "description": "estimated error of the height, in metres"
            },
            "satsUsed": {
              "type": "integer",
              "minimum": 0,
              "maximum": 65535,
              "description": "satellites used to compute the position"
            },
            "satsSeen": {
              "type": "integer",
              "minimum": 0,
              "maximum": 65535,
              "description": "satellites in view"
            },
            "signalsUsed": {
              "type": "integer",
              "minimum": 0,
              "maximum": 65535,
              "description": "signals used to compute the position: a satellite can send several"
            },
            "signalsSeen": {
              "type": "integer",
              "minimum": 0,
              "maximum": 65535,
              "description": "signals in view"
            },
            "hdop": {
              "type": "number",
              "description": "horizontal dilution of precision"
            },
            "vdop": {
              "type": "number",
              "description": "vertical dilution of precision"
            },
            "pdop": {
              "type": "number",
              "description": "position (3D) dilution of precision"
            },
            "ept": {
              "type": "number",
              "description": "estimated error of the time, in seconds"
            },
            "eps": {
              "type": "number",
              "description": "estimated error of the speed, in metres per second"
            },
            "epd": {
              "type": "number",
              "description": "estimated error of the track, in degrees"
            },
            "epc": {
              "type": "number",
              "description": "estimated error of the climb, in metres per second"
            },
            "sep": {
              "type": "number",
              "description": "estimated spherical (3D) error, in metres"
            },
            "magtrack": {
              "type": "number",
              "description": "course over ground, in degrees from magnetic north; gpsd's track plus magvar is replaced by track minus magvar"
            },
            "magvar": {
              "type": "number",
              "description": "magnetic variation, in degrees, east is positive"
            },
            "velN": {
              "type": "number",
              "description": "velocity to the north, in metres per second"
            },
            "velE": {
              "type": "number",
              "description": "velocity to the east, in metres per second"
            },
            "velD": {
              "type": "number",
              "description": "velocity downward, in metres per second"
            },
            "dgpsAge": {
              "type": "number",
              "description": "age of the differential correction, in seconds"
            },
            "dgpsSta": {
              "type": "integer",
              "description": "number of the station that sends the differential correction"
            },
            "dgpsRatio": {
              "type": "number",
              "description": "ratio of the ambiguity resolution of RTK, no unit"
            },
            "baseS": {
              "type": "integer",
              "description": "gpsd's status of the baseline"
            },
            "baseE": {
              "type": "number",
              "description": "east component of the baseline, in metres"
            },
            "baseN": {
              "type": "number",
              "description": "north component of the baseline, in metres"
            },
            "baseU": {
              "type": "number",
              "description": "up component of the baseline, in metres"
            },
            "baseL": {
              "type": "number",
              "description": "length of the baseline, in metres"
            },
            "baseC": {
              "type": "number",
              "description": "course of the baseline, in degrees"
            },
            "relN": {
              "type": "number",
              "description": "position north of the base, in metres"
            },
            "relE": {
              "type": "number",
              "description": "position east of the base, in metres"
            },
            "relD": {
              "type": "number",
              "description": "position below the base, in metres"
            },
            "relH": {
              "type": "number",
              "description": "heading from the base, in degrees"
            },
            "relL": {
              "type": "number",
              "description": "distance from the base, in metres"
            },
            "errEllMaj": {
              "type": "number",
              "description": "semi-major axis of the error ellipse, in metres, confidence not stated"
            },
            "errEllMin": {
              "type": "number",
              "description": "semi-minor axis of the error ellipse, in metres"
            },
            "errEllOr": {
              "type": "number",
              "description": "orientation of the major axis, in degrees from true north"
            },
            "clockbias": {
              "type": "number",
              "description": "bias of the receiver's clock, in nanoseconds"
            },
            "clockdrift": {
              "type": "number",
              "description": "drift of the receiver's clock, in nanoseconds per second"
            },
            "leapseconds": {
              "type": "integer",
              "description": "GPS time minus UTC, in seconds"
            },
            "depth": {
              "type": "number",
              "description": "depth of the water, in metres"
            },
            "temp": {
              "type": "number",
              "description": "temperature of the receiver, in degrees Celsius"
            },
            "wtemp": {
              "type": "number",
              "description": "temperature of the water, in degrees Celsius"
            },
            "wanglem": {
              "type": "number",
              "description": "direction of the wind, in degrees from magnetic north"
            },
            "wangler": {
              "type": "number",
              "description": "direction of the wind, in degrees from the bow"
            },
            "wanglet": {
              "type": "number",
              "description": "direction of the wind, in degrees from true north"
            },
            "wspeedr": {
              "type": "number",
              "description": "speed of the wind relative to the ship, in metres per second"
            },
            "wspeedt": {
              "type": "number",
              "description": "true speed of the wind, in metres per second"
            },
            "antenna": {
              "$ref": "#/$defs/antennaName",
              "description": "state of the antenna: ok, open or short"
            },
            "antennaPower": {
              "$ref": "#/$defs/onOrOff",
              "description": "power of the antenna: on or off"
            },
            "jam": {
              "type": "integer",
              "minimum": 0,
              "maximum": 255,
              "description": "how strongly the receiver is jammed, 1 to 255"
            },
            "satellites": {
              "type": "array",
              "items": {
                "$ref": "#/$defs/satellite"
              },
              "description": "the signals in view: a satellite has an element for each of its signals"
            }
          }
        },
        "state": {
          "type": "object",
          "description": "A transition, of the link to gpsd or of one receiver.",
          "required": [
            "type",
            "state"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "state"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "state": {
              "$ref": "#/$defs/stateName"
            },
            "previous": {
              "$ref": "#/$defs/stateName",
              "description": "the state before it"
            },
            "reason": {
              "type": "string",
              "description": "why, in a few words"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path; absent for the link to gpsd"
            },
            "lastFix": {
              "type": "object",
              "description": "the last fix that was current",
              "required": [
                "lat",
                "lon"
              ],
              "additionalProperties": false,
              "properties": {
                "time": {
                  "$ref": "#/$defs/time"
                },
                "lat": {
                  "type": "number",
                  "minimum": -90,
                  "maximum": 90
                },
                "lon": {
                  "type": "number",
                  "minimum": -180,
                  "maximum": 180
                }
              }
            },
            "retryIn": {
              "type": "number",
              "minimum": 0,
              "description": "seconds until the next attempt to connect"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "quality": {
          "type": "object",
          "description": "A change of the quality of a receiver's fixes.",
          "required": [
            "type"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "quality"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "quality": {
              "$ref": "#/$defs/qualityName",
              "description": "the new quality; absent if it is unknown, as for an ordinary fix"
            },
            "previous": {
              "$ref": "#/$defs/qualityName",
              "description": "the quality before it; absent if it was unknown"
            },
            "state": {
              "$ref": "#/$defs/stateName",
              "description": "the receiver's state, which does not change"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "pps": {
          "type": "object",
          "description": "With --class PPS: a receiver's pulses per second began, or are lost.",
          "required": [
            "type",
            "pps"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "pps"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "pps": {
              "$ref": "#/$defs/pulses"
            },
            "previous": {
              "$ref": "#/$defs/pulses",
              "description": "what it was before; absent for the first pulse"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path on gpsd's machine"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "selected": {
          "type": "object",
          "description": "With --best: another source is the best.",
          "required": [
            "type",
            "source",
            "selected"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "selected"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source"
            },
            "selected": {
              "$ref": "#/$defs/text",
              "description": "the name of the source"
            },
            "previous": {
              "$ref": "#/$defs/text",
              "description": "the source before; absent for the first one"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "region": {
          "type": "object",
          "description": "With --region: a receiver entered or left a region.",
          "required": [
            "type",
            "region",
            "presence",
            "previous"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "region"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "region": {
              "$ref": "#/$defs/text",
              "description": "the name of the region"
            },
            "presence": {
              "$ref": "#/$defs/presence"
            },
            "previous": {
              "$ref": "#/$defs/presence",
              "description": "the presence before it"
            },
            "state": {
              "$ref": "#/$defs/stateName",
              "description": "the receiver's state, which does not change; absent if the presence is unknown"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path"
            },
            "lat": {
              "type": "number",
              "minimum": -90,
              "maximum": 90,
              "description": "latitude of the fix; absent if the presence is unknown"
            },
            "lon": {
              "type": "number",
              "minimum": -180,
              "maximum": 180,
              "description": "longitude of the fix; absent if the presence is unknown"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "report": {
          "type": "object",
          "description": "A report of gpsd, of a class that --class names.",
          "required": [
            "type",
            "class",
            "report"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "report"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "class": {
              "$ref": "#/$defs/text",
              "description": "the class of the report"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the path of the receiver or sensor on gpsd's machine"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when this machine received it, by its own clock"
            },
            "offset": {
              "type": "number",
              "description": "of TOFF and PPS: the clock of gpsd's machine minus the receiver's time, in seconds"
            },
            "report": {
              "type": "object",
              "description": "the report as gpsd sent it: see gpsd_json(5)"
            }
          }
        },
        "antenna": {
          "type": "object",
          "description": "A change of a receiver's antenna.",
          "required": [
            "type"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "antenna"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "antenna": {
              "$ref": "#/$defs/antennaName",
              "description": "the new state"
            },
            "previous": {
              "$ref": "#/$defs/antennaName",
              "description": "the state before it; absent if it was unknown"
            },
            "state": {
              "$ref": "#/$defs/stateName",
              "description": "the receiver's state, which does not change"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "jamming": {
          "type": "object",
          "description": "The beginning or the end of jamming.",
          "required": [
            "type"
          ],
          "additionalProperties": false,
          "properties": {
            "type": {
              "const": "jamming"
            },
            "source": {
              "$ref": "#/$defs/text",
              "description": "the name of the source: of a NAME=TARGET, of one of several targets, or of --source"
            },
            "jamming": {
              "$ref": "#/$defs/onOrOff",
              "description": "whether the receiver is jammed"
            },
            "previous": {
              "$ref": "#/$defs/onOrOff",
              "description": "whether it was jammed before"
            },
            "state": {
              "$ref": "#/$defs/stateName",
              "description": "the receiver's state, which does not change"
            },
            "device": {
              "$ref": "#/$defs/text",
              "description": "the receiver's path"
            },
            "time": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by the receiver's clock; absent if that is unknown"
            },
            "received": {
              "$ref": "#/$defs/time",
              "description": "when it happened, by this machine's clock"
            }
          }
        },
        "satellite": {
          "type": "object",
          "description": "One satellite signal, by gpsd's names.",
          "required": [
            "PRN",
            "used"
          ],
          "additionalProperties": false,
          "properties": {
            "PRN": {
              "type": "integer",
              "description": "the satellite's number, whatever its constellation"
            },
            "gnssid": {
              "type": "integer",
              "minimum": 0,
              "description": "the constellation, as u-blox numbers it"
            },
            "svid": {
              "type": "integer",
              "minimum": 0,
              "description": "the number within the constellation"
            },
            "sigid": {
              "type": "integer",
              "minimum": 0,
              "description": "the signal, as u-blox numbers it"
            },
            "signal": {
              "$ref": "#/$defs/text",
              "description": "the name of the signal, or its number if it has none"
            },
            "el": {
              "type": "number",
              "minimum": -90,
              "maximum": 90,
              "description": "degrees above the horizon"
            },
            "az": {
              "type": "number",
              "minimum": 0,
              "maximum": 360,
              "description": "degrees from true north"
            },
            "ss": {
              "type": "number",
              "description": "strength of the signal, in dBHz"
            },
            "used": {
              "type": "boolean",
              "description": "whether the signal is used to compute the position"
            },
            "health": {
              "enum": [
                0,
                1,
                2
              ],
              "description": "1 healthy, 2 unhealthy, 0 unknown"
            },
            "freqid": {
              "type": "integer",
              "minimum": 0,
              "maximum": 13,
              "description": "the number of a GLONASS satellite's frequency"
            },
            "qual": {
              "type": "integer",
              "minimum": 0,
              "maximum": 7,
              "description": "how well the signal is tracked, 0 to 7, as u-blox numbers it"
            },
            "pr": {
              "type": "number",
              "description": "the pseudorange, in metres"
            },
            "prRate": {
              "type": "number",
              "description": "the rate at which the pseudorange changes, in metres per second"
            },
            "prRes": {
              "type": "number",
              "description": "the residual of the pseudorange, in metres"
            }
          }
        },
        "antennaName": {
          "enum": [
            "ok",
            "open",
            "short"
          ]
        },
        "onOrOff": {
          "enum": [
            "off",
            "on"
          ]
        },
        "qualityName": {
          "enum": [
            "gps",
            "dgps",
            "rtk-fixed",
            "rtk-float",
            "dr",
            "gnss-dr",
            "time-only",
            "simulated",
            "py"
          ]
        },
        "presence": {
          "enum": [
            "unknown",
            "inside",
            "outside"
          ],
          "description": "whether the receiver is in the region; unknown before the first fix, and after 30 s without one that is accurate enough"
        },
        "pulses": {
          "enum": [
            "present",
            "lost"
          ],
          "description": "lost after 3 s without a pulse, or when the receiver or gpsd went away"
        },
        "stateName": {
          "enum": [
            "connecting",
            "no-daemon",
            "no-device",
            "searching",
            "fix-2d",
            "fix-3d",
            "lost"
          ]
        },
        "text": {
          "type": "string",
          "minLength": 1
        },
        "time": {
          "type": "string",
          "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}([0-9]{3}){0,2}Z$",
          "description": "UTC, ISO 8601"
        }
      }
    }

    """#
}
