// The script that fills the page of a board — ECMAScript 2020, DOM. Text from a plan becomes only text nodes

/// The page's script.
enum BoardScript {
    static let text = #"""
        "use strict";
        const $ = id => document.getElementById(id);
        const svgName = "http://www.w3.org/2000/svg";
        const thin = "\u202F";

        function element(name, className, ...children) {
          const made = document.createElement(name);
          if (className) made.className = className;
          made.append(...children);
          return made;
        }
        function shape(name, attributes, text) {
          const made = document.createElementNS(svgName, name);
          for (const key in attributes) made.setAttribute(key, attributes[key]);
          if (text !== undefined) made.textContent = text;
          return made;
        }
        function grouped(number) {
          const digits = String(number);
          return digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, thin) : digits;
        }
        // Invisible characters and those that change the writing direction are made visible; long text is truncated.
        function plain(text) {
          const shown = String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
            sign => "[U+" + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]");
          return shown.length > 200 ? shown.slice(0, 199) + "…" : shown;
        }
        const rate = number => number === undefined ? "–" : number > 0 && number < 9.95 ? number.toFixed(1) : grouped(Math.round(number));
        const rows = count => grouped(count) + (count === 1 ? " row" : " rows");
        const clock = date => date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
        const day = date => date.toLocaleDateString([], { month: "short", day: "numeric" });
        function moment(text, now) {
          const date = new Date(text);
          return Math.abs(now - date) < 72e6 ? clock(date) : day(date);
        }
        function span(seconds) {
          const minutes = seconds / 60;
          if (minutes < 1) return "under a minute";
          if (minutes < 90) return Math.round(minutes) + thin + "min";
          const hours = minutes / 60;
          return hours < 48 ? Math.round(hours) + thin + "h" : Math.round(hours / 24) + " days";
        }

        function tell(live, alarm) {
          document.body.classList.toggle("gone", alarm !== undefined);
          $("live").textContent = live;
          $("alarm").hidden = alarm === undefined;
          if (alarm !== undefined) $("alarm").textContent = alarm;
        }

        function verdict(state) {
          if (state.rows === 0) return "The plan has no rows.";
          const left = state.rows - state.provisioned;
          if (left === 0) return state.rows === 1 ? "The row is provisioned." : "All " + rows(state.rows) + " are provisioned.";
          return grouped(state.provisioned) + " of " + rows(state.rows) + (state.provisioned === 1 ? " is" : " are")
            + " provisioned; " + grouped(left) + (left === 1 ? " is" : " are") + " left.";
        }

        function showHead(state, now) {
          const name = plain(state.plan.split("/").pop());
          const part = state.rows ? state.provisioned / state.rows : 0;
          const isDone = state.rows > 0 && part === 1;
          const percent = isDone ? 100 : Math.min(99, Math.floor(part * 100));
          document.title = percent + " % – " + name;
          $("plan").textContent = name;
          $("verdict").textContent = verdict(state);
          $("clock").textContent = clock(now);
          $("clock").dateTime = state.time;
          $("arc").setAttribute("stroke-dasharray", (part * 2 * Math.PI * 52).toFixed(1) + " 400");
          $("arc").style.display = part ? "" : "none";
          $("tick").toggleAttribute("hidden", !isDone);
          $("percent").textContent = isDone ? "" : percent;
          $("unit").textContent = isDone ? "" : thin + "%";
          $("ring").setAttribute("aria-label", percent + " % provisioned");
          $("lede").textContent = isDone ? "Started " + day(new Date(state.begun)) + " at " + clock(new Date(state.begun)) + "." : "";
        }

        // The states of a row, in the order of the bar.
        const words = { sealed: "locked or protected", proven: "verified", written: "written, not verified",
          bound: "started", failed: "failed", pending: "to do" };

        function tile(name, value, note, kind) {
          return element("div", kind, element("dt", "", name), element("dd", "", value), element("dd", "note", note));
        }

        function showFigures(state, now) {
          const stations = state.stations.filter(station => station.station !== undefined);
          const working = stations.filter(station => station.state === "working").length;
          const left = state.rows - state.provisioned;
          // The tag of a row that is being written now does not have to be placed again.
          const open = state.stations.reduce((sum, station) => sum + station.interrupted, 0);
          const end = state.secondsLeft === undefined ? undefined : new Date(now.getTime() + state.secondsLeft * 1000);
          const begun = new Date(state.begun);
          // The start is reported in whole seconds.
          const period = now - begun < 61e3 ? "since the start" : "in the last minute";
          const tiles = [
            tile("Provisioned", grouped(state.provisioned), "of " + grouped(state.rows)),
            tile("Left", grouped(left), open ? grouped(open) + " to place again" : ""),
            tile("Tags per minute", rate(state.perMinute), period),
            tile("Done at", end ? moment(end, now) : "–", end ? "in " + span(state.secondsLeft) : left ? "unknown" : ""),
            tile("Refused tags", grouped(state.refused), state.refused ? "no rows used" : ""),
            tile("Failed", grouped(state.failed), state.failed ? "rows and their tags" : "", state.failed ? "bad" : ""),
          ];
          tiles.push(
            stations.length ? tile("Stations", grouped(working), "at work, of " + grouped(stations.length))
              : tile("Verified", grouped(state.verified), state.locked ? grouped(state.locked) + " locked" : ""),
            tile("Started", moment(state.begun, now), now - begun < 72e6 ? day(begun) : clock(begun)));
          $("tiles").replaceChildren(...tiles);
          const present = Object.keys(words).filter(name => state[name] > 0);
          $("states").replaceChildren(...present.map(name => {
            const part = element("i", name);
            part.style.flexGrow = state[name];
            return part;
          }));
          $("legend").replaceChildren(...present.map(name =>
            element("li", "", element("i", name), words[name] + " ", element("b", "", grouped(state[name])))));
        }

        function showHour(state) {
          const counts = state.lastHour || [];
          const most = Math.max(0, ...counts);
          $("hour").hidden = most === 0;
          if (most === 0) return;
          const step = Math.pow(10, Math.floor(Math.log10(most)));
          const top = [1, 2, 5, 10].map(factor => factor * step).find(value => value >= most);
          const height = 120;
          const marks = [];
          for (const value of [0, top / 2, top]) {
            const y = height - value / top * height;
            marks.push(shape("line", { class: value ? "grid" : "base", x1: 0, x2: "100%", y1: y, y2: y }));
            if (Number.isInteger(value)) marks.push(shape("text", { x: -8, y: y, dy: "0.33em", "text-anchor": "end" }, value));
          }
          const bars = counts.map((count, index) => shape("rect", {
            class: index === counts.length - 1 ? "now" : "", x: (index + 0.1) / counts.length * 100 + "%",
            width: 80 / counts.length + "%", y: height - count / top * height, height: count / top * height }));
          $("chart").replaceChildren(...marks, ...bars);
          $("caption").textContent = "Rows provisioned in each minute, " + grouped(counts.reduce((sum, count) => sum + count, 0)) + " in all.";
        }

        function condition(station, now, isShort) {
          if (station.state === "working") return rate(station.perMinute) + (isShort ? "/min" : " a minute");
          if (station.since === undefined) return station.state;
          const word = isShort || station.state === "ended" ? " " : " since ";
          return station.state + word + moment(station.since, now);
        }

        function showStations(state, now) {
          const stations = state.stations.filter(station => station.station !== undefined);
          $("all").hidden = stations.length === 0;
          document.body.classList.toggle("alone", stations.length === 0);
          document.body.classList.toggle("few", stations.length > 0 && stations.length <= 12);
          const working = stations.filter(station => station.state === "working").length;
          $("working").textContent = working + " of " + stations.length + " at work";
          const troubled = stations.filter(station => station.state === "silent" || station.state === "lost")
            .sort((a, b) => (a.state === b.state ? 0 : a.state === "lost" ? -1 : 1));
          $("care").hidden = troubled.length === 0;
          const shown = troubled.slice(0, 12).map(station => element("li", station.state,
            element("b", "", plain(station.station)), element("span", "", condition(station, now))));
          if (troubled.length > 12) shown.push(element("li", "", "and " + (troubled.length - 12) + " more"));
          $("care-list").replaceChildren(...shown);
          const isCrowd = stations.length > 80;
          $("signs").hidden = !isCrowd;
          $("grid").className = "grid" + (isCrowd ? " crowd" : stations.length > 24 ? " many" : "");
          $("grid").replaceChildren(...stations.map(station => {
            const name = element("div", "name", element("i"), element("span", "", plain(station.station)),
              element("b", "", grouped(station.provisioned)));
            name.title = plain(station.station);
            const state = element("p", "state", condition(station, now, isCrowd));
            const facts = [];
            if (station.refused) facts.push(grouped(station.refused) + " refused");
            if (station.interrupted) facts.push(grouped(station.interrupted) + " interrupted");
            // If there is little room, the sign replaces the word.
            if (station.refused) state.append(" ", element("span", "refused", isCrowd ? "✘" + thin + grouped(station.refused) : "· " + facts[0]));
            if (station.interrupted) state.append(" ", element("span", "return", isCrowd ? "↺" + thin + grouped(station.interrupted) : "· " + facts[facts.length - 1]));
            state.title = facts.join(", ");
            return element("li", station.state, name, state);
          }));
        }

        function showRefusals(state, now) {
          const readers = state.stations.flatMap(station => station.readers.map(reader => ({ ...reader, station: station.station })))
            .sort((a, b) => b.refused - a.refused);
          $("refusals").hidden = readers.length === 0;
          const most = 6;
          $("readers").replaceChildren(...readers.slice(0, most).map(reader => {
            const name = element("th", "station", plain(reader.station === undefined ? "this plan" : reader.station));
            name.scope = "row";
            return element("tr", "", name, element("td", "reader", plain(reader.reader)),
              element("td", "n count", grouped(reader.refused)), element("td", "n last", moment(reader.last, now)));
          }));
          $("more").textContent = readers.length > most ? "and " + (readers.length - most) + " more readers" : "";
        }

        function show(state) {
          if (state.event === "databaseAway") {
            tell("Database not responding", "The database has not answered since " + clock(new Date(state.time)) + ": "
              + plain(state.message));
            return;
          }
          const now = new Date(state.time);
          tell("Live");
          showHead(state, now);
          showFigures(state, now);
          showHour(state);
          showStations(state, now);
          showRefusals(state, now);
        }

        // The board sends the time every few seconds, so silence means that something is broken.
        const longestSilence = 30000;
        let source, lastData;
        let lastHeard = Date.now(), lastNews = Date.now();

        function connect() {
          if (source) source.close();
          lastHeard = Date.now();
          source = new EventSource("events");
          source.onmessage = message => {
            lastHeard = Date.now();
            // A new connection begins with the last state, which may be old.
            if (message.data === lastData) return;
            lastNews = lastHeard;
            lastData = message.data;
            show(JSON.parse(message.data));
          };
          source.onerror = () => {
            if (source.readyState === EventSource.CLOSED) return refused();
            if (Date.now() - lastNews > longestSilence) return tellSilence();
            tell(lastData === undefined ? "Connecting" : "Not connected",
              "There is no connection to nfctool provision board. This page retries automatically.");
          };
        }

        // After an answer that is not a stream, the browser does not try again and does not report the answer.
        async function refused() {
          const answer = await fetch("state.json", { cache: "no-store" }).catch(() => undefined);
          if (answer && answer.status === 401) {
            tell("No access", "This browser does not have the board's token, or the board has a new one. "
              + "Open the address that nfctool provision board printed, with its token.");
          } else if (answer && answer.ok) {
            tell("Waiting", "The board already serves as many browsers as it can. This page retries automatically.");
          } else {
            tell("Not connected", "There is no board at this address now. This page retries automatically.");
          }
          setTimeout(connect, 5000);
        }

        function tellSilence() {
          if (lastData === undefined) {
            tell("Connecting", "nfctool provision board has sent nothing yet. This page retries automatically.");
          } else {
            tell("Silent", "No update since " + clock(new Date(lastNews)) + ". This page retries automatically.");
          }
        }

        setInterval(() => {
          const now = Date.now();
          if (now - lastNews <= longestSilence || source.readyState === EventSource.CLOSED) return;
          tellSilence();
          // The connection may be broken although no error was reported.
          if (now - lastHeard > longestSilence) connect();
        }, 5000);
        connect();
        """#
}
