// Follows a tournament: hears which parts changed, fetches only those, and puts them in place without moving
// what the reader looks at. Marks the reader's own team, which the server never knows.
(function () {
  "use strict";

  var slug = document.body.dataset.tournament;
  if (!slug) return;

  var words = document.getElementById("words").dataset;
  var OWN_KEY = "seven-marks:team:" + slug;
  var JITTER = 300; // milliseconds over which readers spread their requests
  var AGAIN = 450; // milliseconds until a part that came back old is asked for again
  var POLL = 20000;
  var RECONNECT = 30000;
  var TRIES = 12;

  // ---- The own team ------------------------------------------------------------------------

  var unstored = "";

  function own() {
    try { return localStorage.getItem(OWN_KEY) || ""; } catch (error) { return unstored; }
  }

  function setOwn(number) {
    unstored = number;
    try {
      if (number) localStorage.setItem(OWN_KEY, number);
      else localStorage.removeItem(OWN_KEY);
    } catch (error) { /* private windows: it holds for this page */ }
    mark(document);
    fillOwn();
  }

  function has(list, number) {
    return Boolean(number) && list.split(" ").indexOf(number) >= 0;
  }

  // Put the own team's mark on everything below `root`.
  function mark(root) {
    var number = own();
    root.querySelectorAll("[data-teams]").forEach(function (element) {
      element.classList.toggle("own", has(element.dataset.teams, number));
    });
    root.querySelectorAll("[data-team]").forEach(function (element) {
      element.classList.toggle("own", element.dataset.team === number);
    });
    root.querySelectorAll("[data-own-toggle]").forEach(function (element) {
      element.setAttribute("aria-pressed", String(element.dataset.ownToggle === number));
    });
    document.dispatchEvent(new CustomEvent("seven-marks:marked"));
  }

  function fillOwn() {
    var slot = document.querySelector("[data-own-slot]");
    var number = own();
    document.querySelectorAll("[data-own-change]").forEach(function (link) { link.hidden = !number; });
    if (!slot) return;
    if (!slot.dataset.blank) slot.dataset.blank = slot.innerHTML;
    if (!number) {
      slot.innerHTML = slot.dataset.blank;
      showNext(null);
      return;
    }
    fetch(document.body.dataset.teamsUrl + encodeURIComponent(number) + "/?fragment=card", { cache: "no-cache" })
      .then(function (answer) {
        if (answer.status === 404) setOwn("");
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (text) {
        slot.innerHTML = text;
        var card = slot.querySelector("[data-fragment]");
        mark(slot);
        showNext(card);
      })
      .catch(function () { /* the card stays as it is; the next event tries again */ });
  }

  // The row "If you win" at the head of what comes next.
  function showNext(card) {
    var row = document.querySelector("[data-own-next]");
    if (!row) return;
    var template = card && card.querySelector("template[data-next-row]");
    row.hidden = !template;
    row.replaceChildren();
    if (template) row.append(template.content.cloneNode(true));
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-own-toggle]");
    if (!button) return;
    var before = own();
    var number = before === button.dataset.ownToggle ? "" : button.dataset.ownToggle;
    setOwn(number);
    toast(number ? button.dataset.name + ". " + words.chosen : words.dropped, function () { setOwn(before); });
  });

  function toast(text, undo) {
    var place = document.getElementById("toasts");
    var box = document.createElement("div");
    var label = document.createElement("span");
    var button = document.createElement("button");
    box.className = "toast";
    label.textContent = text;
    label.className = "whole";
    button.type = "button";
    button.textContent = words.undo;
    button.addEventListener("click", function () { box.remove(); undo(); });
    box.append(label, button);
    place.replaceChildren(box);
    setTimeout(function () { box.remove(); }, 8000);
  }

  // ---- Putting new text in place -----------------------------------------------------------

  function key(node) {
    return node.nodeType === 1 ? node.dataset.key || "" : "";
  }

  // Make `from` look like `to`, keeping every node that is the same thing.
  function morph(from, to) {
    if (from.nodeType === 3) {
      if (from.data !== to.data) {
        from.data = to.data;
        flash(from.parentElement);
      }
      return;
    }
    if (from.nodeType !== 1 || "keep" in from.dataset) return;
    if (from.nodeName === "svg") {
      if (from.outerHTML !== to.outerHTML) from.replaceWith(drawn(from, to.cloneNode(true)));
      return;
    }
    attributes(from, to);
    if (from.nodeName === "TEMPLATE") {
      if (from.innerHTML !== to.innerHTML) from.innerHTML = to.innerHTML;
      return;
    }
    if ("wait" in from.dataset && holds(from, to)) return;
    children(from, "stable" in from.dataset ? settled(from, to) : Array.from(to.childNodes));
  }

  function attributes(from, to) {
    Array.from(from.attributes).forEach(function (one) {
      if (!to.hasAttribute(one.name)) from.removeAttribute(one.name);
    });
    Array.from(to.attributes).forEach(function (one) {
      if (from.getAttribute(one.name) !== one.value) from.setAttribute(one.name, one.value);
    });
  }

  function children(from, wanted) {
    var keyed = new Map();
    Array.from(from.childNodes).forEach(function (node) { if (key(node)) keyed.set(key(node), node); });
    var wantedKeys = new Set(wanted.map(key));
    var here = from.firstChild;
    wanted.forEach(function (node) {
      while (here && key(here) && !wantedKeys.has(key(here)) && !("keep" in here.dataset)) here = drop(here);
      var same = key(node) ? keyed.get(key(node)) : null;
      if (same) {
        if (same === here) here = here.nextSibling;
        else from.insertBefore(same, here);
        morph(same, node);
      } else if (here && !key(here) && !key(node) && here.nodeName === node.nodeName) {
        var next = here.nextSibling;
        morph(here, node);
        here = next;
      } else {
        from.insertBefore(document.importNode(node, true), here);
      }
    });
    while (here) here = drop(here);
  }

  function drop(node) {
    var next = node.nextSibling;
    node.remove();
    return next;
  }

  // In a list that stays settled a row keeps its place, and rows that are new take the places of those that left.
  // While the list is in view it keeps its length too: a place without a row stays empty, more rows wait.
  function settled(from, to) {
    var left = new Map(Array.from(to.children).map(function (node) { return [key(node), node]; }));
    var places = Array.from(from.children);
    var order = places.map(function (node) {
      var same = left.get(key(node));
      left.delete(key(node));
      return same || null;
    });
    var rest = Array.from(left.values());
    order = order.map(function (node) { return node || rest.shift() || null; });
    if (!inView(from)) {
      from.waiting = null;
      return order.filter(Boolean).concat(rest);
    }
    from.waiting = rest.length || order.indexOf(null) >= 0 ? to : null;
    return order.map(function (node, place) { return node || gap(places[place], place); });
  }

  function gap(node, place) {
    var empty = document.createElement(node.nodeName);
    empty.className = "gap";
    empty.dataset.key = "gap-" + place;
    empty.style.height = node.offsetHeight + "px";
    empty.setAttribute("aria-hidden", "true");
    return empty;
  }

  function inView(element) {
    var box = element.getBoundingClientRect();
    return box.height > 0 && box.top < innerHeight && box.bottom > 0;
  }

  // Lists that the reader has scrolled away from catch up.
  function catchUp() {
    document.querySelectorAll("[data-stable], [data-wait]").forEach(function (list) {
      if (!list.waiting || inView(list)) return;
      var anchor = anchorOf(document);
      var top = anchor && anchor.getBoundingClientRect().top;
      var waiting = list.waiting;
      release(list);
      children(list, Array.from(waiting.children));
      mark(list);
      keepAt(anchor, top);
    });
  }

  var catching = 0;
  addEventListener("scroll", function () {
    clearTimeout(catching);
    catching = setTimeout(catchUp, 250);
  }, { passive: true });

  // New rows of a list in view wait behind a button, so that nothing moves under the reader's finger.
  function holds(from, to) {
    var known = new Set(Array.from(from.children).map(key));
    var fresh = Array.from(to.children).filter(function (node) { return !known.has(key(node)); });
    if (!fresh.length || !known.size || !inView(from)) {
      release(from);
      return false;
    }
    from.waiting = to;
    var head = from.parentElement.querySelector(".section-head");
    var button = from.parentElement.querySelector(".new-rows-button");
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.className = "link new-rows-button";
      button.dataset.keep = "";
      button.dataset.key = "new-rows";
      button.addEventListener("click", function () {
        var waiting = from.waiting;
        release(from);
        children(from, Array.from(waiting.childNodes));
        mark(from);
      });
      if (head) head.append(button);
      else from.before(button);
    }
    button.textContent = fresh.length === 1 ? words.newOne : words.newMany.replace("%(number)s", fresh.length);
    return true;
  }

  function release(list) {
    var button = list.parentElement.querySelector(".new-rows-button");
    if (button) button.remove();
    list.waiting = null;
  }

  function flash(element) {
    var numeral = element && element.closest("[data-flash]");
    if (!numeral) return;
    numeral.classList.remove("flash");
    void numeral.offsetWidth;
    numeral.classList.add("flash");
  }

  // A stroke that was just earned is drawn along its path.
  function drawn(from, to) {
    if (!to.classList.contains("all")) return to;
    var before = from.querySelectorAll(".earned").length;
    to.querySelectorAll(".earned").forEach(function (stroke, place) {
      if (place >= before) stroke.classList.add("drawn");
    });
    return to;
  }

  function place(root, fresh) {
    var anchor = anchorOf(root);
    var top = anchor && anchor.getBoundingClientRect().top;
    var focused = document.activeElement;
    morph(root, fresh);
    mark(root);
    if (focused && focused !== document.activeElement && document.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
    keepAt(anchor, top);
  }

  function keepAt(anchor, top) {
    if (!anchor || !document.contains(anchor)) return;
    var moved = anchor.getBoundingClientRect().top - top;
    if (moved) scrollBy(0, moved);
  }

  // What the reader looks at: the thing with a name of its own that is nearest to the middle of the screen.
  function anchorOf(root) {
    if (scrollY < 1) return null;
    var middle = innerHeight / 2;
    var best = null, nearest = Infinity;
    root.querySelectorAll("[data-key]").forEach(function (node) {
      var box = node.getBoundingClientRect();
      if (!box.height || box.top < 0 || box.top > innerHeight) return;
      var distance = Math.abs((box.top + box.bottom) / 2 - middle);
      if (distance < nearest) { best = node; nearest = distance; }
    });
    return best;
  }

  // ---- Fragments ---------------------------------------------------------------------------

  function revs(element) {
    var found = {};
    (element.dataset.revs || "").split(" ").forEach(function (one) {
      var at = one.lastIndexOf("=");
      if (at > 0) found[one.slice(0, at)] = Number(one.slice(at + 1));
    });
    return found;
  }

  // The parts of `wanted` that the element shows and has not got yet.
  function missing(element, wanted) {
    var got = revs(element);
    var shown = (element.dataset.part || "").split(" ");
    return Object.keys(wanted).filter(function (part) {
      return shown.indexOf(part) >= 0 && wanted[part] > (got[part] || 0);
    });
  }

  function read(source) {
    return fetch(source, { cache: "no-cache" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (text) {
        var template = document.createElement("template");
        template.innerHTML = text;
        return template.content.firstElementChild;
      });
  }

  function refresh(element, wanted, tries) {
    if (element.isFetching) {
      element.again = Object.assign(element.again || {}, wanted);
      return;
    }
    element.isFetching = true;
    read(element.dataset.src)
      .then(function (fresh) {
        var said = element.dataset.say;
        place(element, fresh);
        if (element.dataset.fragment === "card") {
          showNext(element);
          if (said && said !== element.dataset.say) say(words.yours + ": " + element.dataset.say);
        }
        document.dispatchEvent(new CustomEvent("seven-marks:placed", { detail: element }));
        return missing(element, wanted).length > 0;
      })
      .catch(function () { return tries < TRIES && Object.keys(wanted).length > 0; })
      .then(function (isOld) {
        element.isFetching = false;
        var more = element.again;
        element.again = null;
        if (isOld && tries < TRIES) {
          setTimeout(function () { refresh(element, Object.assign(wanted, more), tries + 1); }, AGAIN);
        } else if (more && missing(element, more).length) {
          refresh(element, more, 0);
        }
      });
  }

  function say(text) {
    document.getElementById("announce").textContent = text;
  }

  function changed(parts) {
    document.querySelectorAll("[data-fragment][data-part]").forEach(function (element) {
      if (!missing(element, parts).length) return;
      if (element.dataset.cells && window.sevenMarksCells) {
        setTimeout(function () { window.sevenMarksCells(element, parts, { read: read, place: place, refresh: refresh }); }, Math.random() * JITTER);
        return;
      }
      setTimeout(function () { refresh(element, Object.assign({}, parts), 0); }, Math.random() * JITTER);
    });
  }

  function everything() {
    document.querySelectorAll("[data-fragment][data-part]").forEach(function (element) {
      setTimeout(function () { refresh(element, {}, 0); }, Math.random() * JITTER);
    });
  }

  // ---- The stream --------------------------------------------------------------------------

  var stream = null;
  var lastId = "";
  var poller = 0;
  var sleeping = 0;
  var wasAway = false;

  function show(text) {
    document.querySelectorAll("[data-live-state]").forEach(function (element) {
      element.textContent = text ? " · " + text : "";
    });
  }

  function connect() {
    if (stream || !window.EventSource) {
      if (!window.EventSource) poll();
      return;
    }
    var address = document.body.dataset.events + (lastId ? "&since=" + lastId : "");
    stream = new EventSource(address);
    stream.addEventListener("open", function () {
      stopPolling();
      show(words.follows);
      if (wasAway) everything();
      wasAway = false;
    });
    stream.addEventListener("revision", function (event) {
      lastId = event.lastEventId || lastId;
      changed(JSON.parse(event.data).parts);
    });
    stream.addEventListener("reset", function (event) {
      lastId = event.lastEventId || lastId;
      everything();
    });
    stream.addEventListener("error", function () {
      wasAway = true;
      poll();
      if (stream && stream.readyState === EventSource.CLOSED) {
        disconnect();
        setTimeout(connect, RECONNECT);
      }
    });
  }

  function disconnect() {
    if (stream) stream.close();
    stream = null;
  }

  // Without a stream: ask now and then; the browser sends its ETags, so most answers are empty.
  function poll() {
    show(navigator.onLine === false ? words.away : words.polls);
    if (poller) return;
    poller = setInterval(function () {
      show(navigator.onLine === false ? words.away : words.polls);
      if (!document.hidden) everything();
    }, POLL);
  }

  function stopPolling() {
    clearInterval(poller);
    poller = 0;
  }

  // A hidden tab lets go of its stream: browsers allow only a few to one site.
  document.addEventListener("visibilitychange", function () {
    clearTimeout(sleeping);
    if (document.hidden) {
      sleeping = setTimeout(function () { disconnect(); wasAway = true; }, 10000);
    } else {
      connect();
    }
  });
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", function (event) { if (event.persisted) { wasAway = true; connect(); } });
  addEventListener("storage", function (event) { if (event.key === OWN_KEY) { mark(document); fillOwn(); } });

  // ---- The filter of the list of teams -----------------------------------------------------

  function plain(text) {
    return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  function filter() {
    var form = document.querySelector("[data-filter]");
    var list = document.querySelector("[data-filter-list]");
    if (!form || !list) return;
    var wanted = plain(form.querySelector("input").value.trim());
    var found = 0;
    Array.from(list.children).forEach(function (row) {
      if (!row.plain) row.plain = plain(row.querySelector(".row").textContent);
      row.hidden = Boolean(wanted) && row.plain.indexOf(wanted) < 0;
      if (!row.hidden) found += 1;
    });
    var none = document.querySelector("[data-filter-none]");
    if (none) none.hidden = found > 0;
  }

  document.addEventListener("input", function (event) { if (event.target.closest("[data-filter]")) filter(); });
  document.addEventListener("seven-marks:placed", filter);

  window.sevenMarks = { own: own, setOwn: setOwn, mark: mark, read: read, changed: changed };
  mark(document);
  fillOwn();
  connect();
})();
