// The table page: three taps raise the sheet, keys type them too. Without it the same forms are sent by button.
(function () {
  "use strict";

  // One press is one act.
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.method !== "post") return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
    setTimeout(function () { delete form.dataset.sent; form.removeAttribute("aria-busy"); }, 8000);
  });
  addEventListener("pageshow", function () {
    document.querySelectorAll("form[data-sent]").forEach(function (form) { delete form.dataset.sent; form.removeAttribute("aria-busy"); });
  });

  function network() {
    document.querySelectorAll("[data-net]").forEach(function (element) {
      var away = navigator.onLine === false;
      if (away && !element.dataset.was) element.dataset.was = element.innerHTML || " ";
      element.classList.toggle("is-away", away);
      if (away) element.textContent = element.dataset.away;
      else if (element.dataset.was) { element.innerHTML = element.dataset.was; delete element.dataset.was; }
    });
  }
  addEventListener("online", network);
  addEventListener("offline", network);
  network();

  var taps = document.querySelector("[data-taps]");
  if (!taps) return;
  var sheet = document.getElementById("sheet");
  var asked = 0;
  var byKey = false; // taps by keys: the saving button is reached at once

  function value(name) {
    var chosen = taps.querySelector('input[name="' + name + '"]:checked');
    return chosen ? chosen.value : "";
  }

  function steps() {
    var next = ["bid", "seat", "how"].find(function (name) { return !value(name); });
    taps.querySelectorAll("[data-step]").forEach(function (step) {
      step.classList.toggle("is-next", step.dataset.step === next);
      step.classList.toggle("is-done", Boolean(value(step.dataset.step)));
    });
    var shaker = document.querySelector("[data-shaker]");
    if (shaker) shaker.value = value("shaker");
  }

  function raise(how) {
    var query = new URLSearchParams({ fragment: "sheet", how: how, game: taps.elements.game.value, hand: taps.elements.hand.value });
    if (how !== "passed") { query.set("bid", value("bid")); query.set("seat", value("seat")); }
    if (value("shaker")) query.set("shaker", value("shaker"));
    var mine = ++asked;
    fetch(location.pathname + "?" + query, { cache: "no-store" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (text) {
        if (mine !== asked) return;
        sheet.innerHTML = text;
        var save = sheet.querySelector("[data-save]");
        if (save && byKey) save.focus();
      })
      .catch(function () { taps.submit(); });
  }

  function look() {
    steps();
    if (value("bid") && value("seat") && value("how")) raise(value("how"));
  }

  taps.addEventListener("change", look);
  document.addEventListener("pointerdown", function () { byKey = false; });
  document.addEventListener("click", function (event) {
    var pass = event.target.closest("[data-pass]");
    if (!pass) return;
    event.preventDefault();
    taps.querySelectorAll("[data-step] input:checked").forEach(function (input) { input.checked = false; });
    steps();
    raise("passed");
  });

  // Digits type a bid, N E S W a seat, M or X made or set, Enter saves.
  var typed = "";
  var clear = 0;
  function choose(name, wanted) {
    var input = taps.querySelector('input[name="' + name + '"][value="' + wanted + '"]');
    if (!input) return false;
    var more = input.closest("details");
    if (more) more.open = true;
    input.checked = true;
    input.focus();
    look();
    return true;
  }
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    var key = event.key.toLowerCase();
    byKey = true;
    if (/^[0-9]$/.test(key)) {
      clearTimeout(clear);
      typed = (typed + key).slice(-2);
      clear = setTimeout(function () { typed = ""; }, 1200);
      if (typed.length === 2 && choose("bid", typed)) typed = "";
    } else if (typed && key === "m" && choose("bid", typed + "m")) {
      typed = "";
    } else if ("nesw".indexOf(key) >= 0 && key.length === 1) {
      typed = "";
      choose("seat", key.toUpperCase());
    } else if (key === "m" || key === "x") {
      typed = "";
      choose("how", key === "m" ? "made" : "set");
    } else if (key === "enter" && sheet.querySelector("[data-save]") && !event.target.closest("button, a, summary")) {
      event.preventDefault();
      sheet.querySelector("form").requestSubmit();
    }
  });

  steps();
})();
