// The bracket in the browser: opens where the reader's team is, follows cell by cell, map, strip, find, own way.
(function () {
  "use strict";

  var live = window.sevenMarks;
  var scroller = document.querySelector("[data-scroller]");
  if (!live || !scroller) return;

  var HEAD = 58;
  var STEP = 336; // from one round to the next
  var EDGE = 80; // how much of the round before stays in view on a phone

  function root() { return document.querySelector("[data-cells]"); }
  function cells() { return Array.from(document.querySelectorAll(".at")); }
  function columns() { return Array.from(document.querySelectorAll(".col")); }
  function isNarrow() { return innerWidth < 900; }

  // ---- Cell by cell ------------------------------------------------------------------------

  // A hand that ended changes one cell: fetch that cell and the figures over the rounds, not the whole board.
  window.sevenMarksCells = function (element, parts, tools) {
    var codes = Object.keys(parts).filter(function (part) { return part.indexOf("match:") === 0; })
      .map(function (part) { return part.slice(6); });
    var known = codes.filter(function (code) { return document.getElementById(code); });
    if (!codes.length) {
      tools.refresh(element, Object.assign({}, parts), 0);
      return;
    }
    known.forEach(function (code) { cell(element, code, parts["match:" + code], tools, 0); });
    heads(element, parts, tools, 0);
  };

  function cell(element, code, wanted, tools, tries) {
    tools.read(element.dataset.cells + code + "/?fragment=cell").then(function (fresh) {
      var place = document.getElementById(code);
      var old = place && place.querySelector(".cell");
      if (old) tools.place(old, fresh);
      var got = Number((fresh.dataset.rev.match(new RegExp("match:" + code + "=(\\d+)")) || [0, 0])[1]);
      if (got < wanted && tries < 8) setTimeout(function () { cell(element, code, wanted, tools, tries + 1); }, 450);
    }).catch(function () {
      if (tries < 8) setTimeout(function () { cell(element, code, wanted, tools, tries + 1); }, 900);
    });
  }

  function heads(element, parts, tools, tries) {
    tools.read(element.dataset.src.replace("fragment=bracket", "fragment=heads")).then(function (fresh) {
      if (fresh.dataset.shape !== element.dataset.shape) {
        tools.refresh(element, { bracket: parts.bracket || 0 }, 0);
        return;
      }
      element.dataset.revs = fresh.dataset.revs;
      fresh.querySelectorAll("[data-head]").forEach(function (head) {
        var line = document.querySelector('.col[data-key="' + head.dataset.head + '"] .round-head p');
        if (line && line.innerHTML !== head.innerHTML) line.innerHTML = head.innerHTML;
      });
      var updated = document.querySelector(".bracket-foot .updated");
      if (updated) tools.place(updated, fresh.querySelector(".updated"));
      var got = Number((fresh.dataset.revs.match(/bracket=(\d+)/) || [0, 0])[1]);
      if (got < parts.bracket && tries < 8) setTimeout(function () { heads(element, parts, tools, tries + 1); }, 450);
    }).catch(function () { /* the next event brings them */ });
  }

  // ---- Own team, lines, map ----------------------------------------------------------------

  function star() {
    var icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    var use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    icon.setAttribute("class", "icon");
    icon.setAttribute("width", "15");
    icon.setAttribute("height", "15");
    icon.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#i-star");
    icon.append(use);
    return icon;
  }

  function dress() {
    var number = live.own();
    var won = {};
    document.querySelectorAll(".cell").forEach(function (one) {
      var mine = one.querySelector(".r.own");
      one.classList.toggle("own", Boolean(mine));
      if (one.dataset.won && one.dataset.won === number) won[one.closest(".at").id] = true;
      one.querySelectorAll(".r").forEach(function (row) {
        var seed = row.querySelector(".seed");
        if (row === mine && !seed.querySelector("svg")) {
          seed.dataset.seed = seed.textContent;
          seed.replaceChildren(star());
        } else if (row !== mine && seed.querySelector("svg")) {
          seed.textContent = seed.dataset.seed || "";
        }
      });
    });
    document.querySelectorAll(".lines path[data-from]").forEach(function (line) {
      line.classList.toggle("own", Boolean(won[line.dataset.from]));
    });
    Array.from(document.querySelectorAll(".lines path.own")).forEach(function (line) { line.parentNode.append(line); });
    dots();
  }

  function dots() {
    document.querySelectorAll(".map rect[data-code]").forEach(function (dot) {
      var place = document.getElementById(dot.dataset.code);
      var one = place && place.querySelector(".cell");
      if (!one) return;
      dot.setAttribute("class", one.classList.contains("own") ? "own" : one.classList.contains("c-live") ? "d-live" : one.classList.contains("c-final") ? "d-done" : "d-open");
    });
  }

  function map() {
    var here = document.querySelector("[data-map-here]");
    var template = document.querySelector("template[data-map]");
    if (!here || !template) return;
    here.replaceChildren(template.content.cloneNode(true));
    here.onclick = function (event) {
      var svg = here.querySelector("svg");
      var board = document.querySelector(".board");
      var box = svg.getBoundingClientRect();
      var x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
      scroller.scrollTo({
        left: x * board.offsetWidth - scroller.clientWidth / 2,
        top: y * board.offsetHeight - scroller.clientHeight / 2,
        behavior: motion()
      });
    };
    dots();
    frame();
  }

  function frame() {
    var svg = document.querySelector("[data-map-here] svg");
    var board = document.querySelector(".board");
    if (!svg || !board) return;
    var view = svg.viewBox.baseVal;
    var rect = svg.querySelector(".frame");
    var inset = 12;
    var sx = (view.width - 2 * inset) / board.offsetWidth, sy = (view.height - 2 * inset) / (board.offsetHeight - HEAD);
    var x = inset + scroller.scrollLeft * sx - 4, y = inset + scroller.scrollTop * sy - 3;
    var w = Math.min(scroller.clientWidth, board.offsetWidth) * sx + 8, h = Math.min(scroller.clientHeight - HEAD, board.offsetHeight) * sy + 6;
    rect.setAttribute("x", Math.max(2, x));
    rect.setAttribute("y", Math.max(2, y));
    rect.setAttribute("width", Math.max(8, Math.min(w, view.width - 4 - Math.max(2, x) + 2)));
    rect.setAttribute("height", Math.max(8, Math.min(h, view.height - 4 - Math.max(2, y) + 2)));
  }

  // ---- Moving about ------------------------------------------------------------------------

  function motion() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  }

  function edge() {
    return isNarrow() ? EDGE - 16 : 40;
  }

  function go(place, behavior) {
    var column = place.closest(".col");
    var board = document.querySelector(".board");
    // On a phone the round stands at the left, on a desktop with the rounds before it in view.
    var room = isNarrow() ? edge() + 16 : 56 + STEP * Math.max(0, Math.floor((scroller.clientWidth - column.offsetWidth - 56) / STEP));
    scroller.scrollTo({
      left: Math.max(0, column.offsetLeft + board.offsetLeft - room),
      top: Math.max(0, place.offsetTop + HEAD - (scroller.clientHeight - HEAD) / 2 - 20),
      behavior: behavior
    });
  }

  // To a round, staying at the same height where there is something to see.
  function toRound(column) {
    var middle = scroller.scrollTop + scroller.clientHeight / 2;
    var nearest = Array.from(column.querySelectorAll(".at")).sort(function (one, other) {
      return Math.abs(one.offsetTop + HEAD - middle) - Math.abs(other.offsetTop + HEAD - middle);
    })[0];
    if (nearest) go(nearest, motion());
  }

  // Which round of the strip stands at the left.
  function current() {
    var links = Array.from(document.querySelectorAll("[data-round]"));
    if (!links.length) return;
    var left = scroller.scrollLeft + edge() + 40;
    var best = null;
    columns().forEach(function (column) { if (!best || column.offsetLeft <= left) best = column; });
    if (scroller.scrollLeft + scroller.clientWidth >= scroller.scrollWidth - 4) best = columns().pop() || best;
    links.forEach(function (link) {
      var is = best && "round-" + link.dataset.round === best.id;
      if (is && !link.hasAttribute("aria-current")) {
        var strip = link.closest(".strip");
        strip.scrollTo({ left: link.offsetLeft - strip.clientWidth / 2 + link.offsetWidth / 2 });
      }
      if (is) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }

  function ofTeam(number) {
    return cells().filter(function (place) { return place.querySelector('.r[data-team="' + number + '"]'); }).pop();
  }

  function open() {
    var named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    var mine = live.own() && ofTeam(live.own());
    if (document.querySelector(".board-finals") && !isNarrow()) return;
    var busy = cells().filter(function (place) { return place.querySelector(".c-live, .c-called"); });
    if (named && named.classList.contains("at")) go(named, "auto");
    else if (named && named.classList.contains("col")) toRound(named);
    else if (mine) go(mine, "auto");
    else if (busy.length) go(busy[0], "auto");
  }

  document.addEventListener("click", function (event) {
    var round = event.target.closest("[data-round]");
    if (round) {
      event.preventDefault();
      var column = document.getElementById("round-" + round.dataset.round);
      if (column) toRound(column);
    }
    var star = event.target.closest("[data-own-go]");
    if (star && live.own()) {
      var mine = ofTeam(live.own());
      event.preventDefault();
      if (mine) show(mine);
      else location.href = document.body.dataset.teamsUrl + live.own() + "/";
    }
  });

  function show(place) {
    closeWay();
    go(place, motion());
    document.querySelectorAll(".is-found").forEach(function (one) { one.classList.remove("is-found"); });
    var one = place.querySelector(".cell");
    one.classList.add("is-found");
    one.focus({ preventScroll: true });
    setTimeout(function () { one.classList.remove("is-found"); }, 2500);
  }

  // ---- Your way ----------------------------------------------------------------------------

  var panel = document.querySelector("[data-way-panel]");
  var wayButton = document.querySelector("[data-your-way]");

  function way() {
    var number = live.own();
    var here = document.querySelector("[data-way-here]");
    if (wayButton) wayButton.hidden = !number;
    if (!number) {
      if (here) here.hidden = true;
      closeWay();
      return;
    }
    live.read(document.body.dataset.teamsUrl + encodeURIComponent(number) + "/?fragment=way").then(function (fresh) {
      if (here) {
        here.hidden = false;
        here.querySelector("[data-way-name]").textContent = fresh.dataset.name;
        here.querySelector("[data-way-list]").replaceChildren(fresh.cloneNode(true));
      }
      if (panel) {
        var title = document.createElement("h2");
        title.className = "name";
        title.textContent = fresh.dataset.name;
        panel.replaceChildren(title, fresh);
      }
    }).catch(function () { /* the next look brings it */ });
  }

  function closeWay() {
    if (!panel || panel.hidden) return;
    panel.hidden = true;
    wayButton.setAttribute("aria-pressed", "false");
  }

  if (wayButton && panel) {
    wayButton.addEventListener("click", function () {
      panel.hidden = !panel.hidden;
      wayButton.setAttribute("aria-pressed", String(!panel.hidden));
    });
  }

  // ---- Find --------------------------------------------------------------------------------

  var form = document.querySelector("[data-find]");
  var found = document.querySelector("[data-found]");
  var opener = document.querySelector("[data-find-open]");
  var asking = 0;

  if (form && found) {
    var input = form.querySelector("input");
    input.addEventListener("input", function () {
      clearTimeout(asking);
      var text = input.value.trim();
      if (!text) { found.hidden = true; return; }
      asking = setTimeout(function () {
        fetch(form.action + "?fragment=found&q=" + encodeURIComponent(text))
          .then(function (answer) { return answer.text(); })
          .then(function (html) { if (input.value.trim() === text) { found.innerHTML = html; found.hidden = false; } })
          .catch(function () { /* Enter still searches on the page of teams */ });
      }, 180);
    });
    found.addEventListener("click", function (event) {
      var link = event.target.closest("[data-found-team]");
      var place = link && ofTeam(link.dataset.foundTeam);
      if (!place) return;
      event.preventDefault();
      found.hidden = true;
      form.classList.remove("is-open");
      show(place);
    });
    document.addEventListener("keydown", function (event) {
      if (event.key !== "Escape") return;
      found.hidden = true;
      form.classList.remove("is-open");
    });
    document.addEventListener("click", function (event) { if (!form.contains(event.target)) found.hidden = true; });
    if (opener) opener.addEventListener("click", function () {
      form.classList.toggle("is-open");
      if (form.classList.contains("is-open")) input.focus();
    });
  }

  // ---- Start -------------------------------------------------------------------------------

  var number = live.own();
  document.addEventListener("seven-marks:marked", function () {
    dress();
    if (live.own() !== number) { number = live.own(); way(); }
  });
  document.addEventListener("seven-marks:placed", function (event) {
    if (event.detail === root()) { dress(); map(); current(); }
  });
  scroller.addEventListener("scroll", function () { requestAnimationFrame(function () { current(); frame(); }); }, { passive: true });
  addEventListener("resize", frame);
  dress();
  map();
  open();
  current();
  way();
})();
