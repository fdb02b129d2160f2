// For those who run a tournament: forms that stay on the page, count-downs, finding, sorting seeds.
// Every page works without it.
(function () {
  "use strict";

  // ---- The clock and count-downs ------------------------------------------------------------

  var drift = 0; // milliseconds that the server is ahead of this device
  var clock = document.querySelector("[data-clock]");
  if (clock) drift = new Date(clock.dataset.now).getTime() - Date.now();

  function tick() {
    var now = Date.now() + drift;
    if (clock) {
      clock.textContent = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone: clock.dataset.clock })
        .format(now).replace(/\s?[AP]M/, "");
    }
    document.querySelectorAll("[data-until]").forEach(function (element) {
      var left = Math.min(5999, Math.max(0, Math.round((new Date(element.dataset.until).getTime() - now) / 1000)));
      var text = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
      if (element.dataset.left) text += " " + element.dataset.left;
      if (element.textContent !== text) element.textContent = text;
    });
  }
  tick();
  setInterval(tick, 1000);
  document.addEventListener("seven-marks:placed", tick);

  // ---- A form that stays where it is ----------------------------------------------------------

  function swap(text, address) {
    var page = new DOMParser().parseFromString(text, "text/html");
    var fresh = page.getElementById("main");
    var main = document.getElementById("main");
    if (!fresh || !main) { location.assign(address); return; }
    var top = scrollY;
    var active = document.activeElement;
    var row = active && active.closest("[id]");
    var key = row && row.id !== "main" ? row.id : "";
    main.replaceWith(fresh);
    document.title = page.title;
    if (address && new URL(address).pathname === location.pathname) history.replaceState(null, "", address);
    else if (address) history.pushState(null, "", address);
    scrollTo(0, top);
    var again = key && document.getElementById(key);
    var target = again && again.querySelector("button, input, a");
    if (target) target.focus({ preventScroll: true });
    ready(fresh);
    toasts(fresh);
    document.dispatchEvent(new CustomEvent("seven-marks:placed", { detail: fresh }));
  }

  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.dataset.sent) { event.preventDefault(); return; }
    if (!form.hasAttribute("data-stay")) {
      // A second press while the first is under way says nothing twice.
      if (form.method === "post") {
        form.dataset.sent = "yes";
        form.setAttribute("aria-busy", "true");
        setTimeout(function () { delete form.dataset.sent; form.removeAttribute("aria-busy"); }, 8000);
        if (event.submitter && event.submitter.dataset.busy) event.submitter.textContent = event.submitter.dataset.busy + " …";
      }
      return;
    }
    event.preventDefault();
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
    fetch(form.action, { method: "POST", body: new FormData(form, event.submitter), redirect: "follow" })
      .then(function (answer) { return answer.text().then(function (text) { swap(text, answer.url); }); })
      .catch(function () { delete form.dataset.sent; form.removeAttribute("aria-busy"); form.submit(); });
  });

  // A table is chosen without leaving the board.
  document.addEventListener("click", function (event) {
    var link = event.target.closest("[data-choose]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    fetch(link.href).then(function (answer) { return answer.text(); }).then(function (text) {
      swap(text, link.href);
      var chosen = document.querySelector(".ftile.is-chosen");
      if (chosen) chosen.focus({ preventScroll: true });
      var panel = document.getElementById("chosen");
      if (panel && innerWidth < 1000) panel.scrollIntoView({ block: "nearest" });
    }).catch(function () { location.assign(link.href); });
  });

  // What was said goes to the bottom of the screen, away from what one works on.
  function toasts(root) {
    var place = document.getElementById("toasts");
    var said = root.querySelector(".said-all");
    if (!place || !said) return;
    place.replaceChildren();
    Array.from(said.children).forEach(function (one) {
      one.style.pointerEvents = "auto";
      one.style.width = "100%";
      one.style.maxWidth = "34rem";
      place.append(one);
      if (!one.classList.contains("said-bad")) setTimeout(function () { one.remove(); }, 8000);
    });
    said.remove();
  }

  // ---- Finding in a list ------------------------------------------------------------------------

  function plain(text) { return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase(); }

  var wanted = "";
  function find(form) {
    var list = document.querySelector(form.dataset.find);
    var found = 0;
    Array.from(list.children).forEach(function (row) {
      row.hidden = Boolean(wanted) && plain(row.textContent).indexOf(wanted) < 0;
      if (!row.hidden) found += 1;
    });
    var none = document.querySelector("[data-find-none]");
    if (none) none.hidden = found > 0;
  }
  document.addEventListener("input", function (event) {
    var form = event.target.closest("[data-find]");
    if (!form) return;
    wanted = plain(event.target.value.trim());
    find(form);
  });

  // ---- Seeds by order -----------------------------------------------------------------------

  function rows() { return Array.from(document.querySelectorAll("[data-sortable] > li")); }
  function number() { rows().forEach(function (row, place) { row.querySelector("input").value = place + 1; }); }

  document.addEventListener("click", function (event) {
    var all = event.target.closest("[data-seeds]");
    if (all) {
      if (all.dataset.seeds === "number") number();
      else rows().forEach(function (row) { row.querySelector("input").value = ""; });
      return;
    }
    var move = event.target.closest("[data-move]");
    if (!move) return;
    var row = move.closest("li");
    var other = move.dataset.move === "up" ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (move.dataset.move === "up") other.before(row); else other.after(row);
    number();
    move.focus();
  });

  var dragged = null;
  document.addEventListener("dragstart", function (event) {
    if (!event.target.classList || !event.target.classList.contains("drag")) return;
    dragged = event.target.closest("li");
    dragged.classList.add("is-dragged");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setDragImage(dragged, 20, 20);
  });
  document.addEventListener("dragover", function (event) {
    var over = dragged && event.target.closest("[data-sortable] > li");
    if (!over || over === dragged) return;
    event.preventDefault();
    var box = over.getBoundingClientRect();
    if (event.clientY > box.top + box.height / 2) over.after(dragged); else over.before(dragged);
  });
  document.addEventListener("drop", function (event) { if (dragged) event.preventDefault(); });
  document.addEventListener("dragend", function () {
    if (!dragged) return;
    dragged.classList.remove("is-dragged");
    dragged = null;
    number();
  });

  // ---- At the start -------------------------------------------------------------------------

  function ready(root) {
    root.querySelectorAll("[data-find]").forEach(function (form) {
      form.hidden = false;
      if (wanted) { form.querySelector("input").value = wanted; find(form); }
      form.addEventListener("submit", function (event) { event.preventDefault(); });
    });
    var focus = root.querySelector("[data-focus]");
    if (focus) { focus.focus({ preventScroll: true }); focus.scrollIntoView({ block: "nearest" }); }
  }
  ready(document);
  addEventListener("pageshow", function () {
    document.querySelectorAll("form[data-sent]").forEach(function (form) { delete form.dataset.sent; form.removeAttribute("aria-busy"); });
  });
})();
