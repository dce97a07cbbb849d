"use strict";
// The table of the first page: what is shown, in which order, of which cards. SITE comes from data.js.
const QUANTITIES = ["cycles", "latency", "throughput"];
const SHORT = { cycles: "cycles", latency: "latency", throughput: "tput" };
// Rows that are drawn at once; the others follow while the page can be used already.
const AT_ONCE = 150;

const table = document.querySelector("#instructions");
const [search, count, only, unit, generation] = ["#search", "#count", "#disputed", "#unit", "#generation"].map(name => document.querySelector(name));
const isNarrow = matchMedia("(max-width: 40rem)").matches;
const shown = new Set(isNarrow ? ["latency"] : ["latency", "throughput"]);
const cards = new Set(SITE.cards.keys());
let order = { column: null, down: false };
let drawing = 0;

const text = cell => Array.isArray(cell) ? cell[0] : cell;
const number = cell => {
  if (cell === null || cell === undefined) { return NaN; }
  const [over, under] = text(cell).split("/");
  return under ? parseFloat(over) / parseFloat(under) : parseFloat(over);
};
const escaped = words => words.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
const words = SITE.rows.map(([name, encoding, , said, , others]) => `${name} ${others} ${encoding} ${said}`.toLowerCase());

// From 4 cycles on, and from one instruction per cycle down, a shade for each doubling.
const shade = (quantity, value) => {
  const slower = quantity === "throughput" ? 1 / value : value / 4;
  return Math.max(0, Math.min(5, Math.ceil(Math.log2(slower) - 0.01))) || 0;
};

const cellOf = (row, card, quantity, isFirst) => {
  const border = isFirst ? " first" : "";
  const cells = row[4][card];
  if (cells === null) { return `<td class="v none${border}" title="${escaped(SITE.cards[card].name)} does not have it">·</td>`; }
  const cell = cells[QUANTITIES.indexOf(quantity)];
  if (cell === null) { return `<td class="v none${border}" title="no number: its page says why">–</td>`; }
  const within = Array.isArray(cell) ? ` data-within="${escaped(cell[1])}" title="${escaped(cell[1])}"` : "";
  return `<td class="v h${shade(quantity, number(cell))}${border}"${within}>${escaped(text(cell))}</td>`;
};

// A narrow window has the numbers first.
const inOrder = (facts, numbers) => isNarrow ? numbers + facts : facts + numbers;

const rowOf = row => {
  const [name, encoding, bytes, said] = row.slice(0, 4).map(escaped);
  const quantities = QUANTITIES.filter(quantity => shown.has(quantity));
  const cells = [...cards].map(card => quantities.map((quantity, index) => cellOf(row, card, quantity, index === 0)).join(""));
  const facts = `<td>${encoding}</td><td class="v">${bytes}</td><td class="said" title="${said}">${said}</td>`;
  return `<tr><th scope="row"><a href="instructions/${name}.html">${name.replaceAll("_", "_<wbr>")}</a>${row[5] && `<small> ${escaped(row[5])}</small>`}</th>${inOrder(facts, cells.join(""))}</tr>`;
};

const sorted = rows => {
  if (order.column === null) { return rows; }
  const [kind, card, quantity] = order.column.split(" ");
  const sign = order.down ? -1 : 1;
  const plain = { name: 0, encoding: 1, said: 3 }[kind];
  const value = row => kind === "bytes" ? parseFloat(row[2]) : number(row[4][card]?.[QUANTITIES.indexOf(quantity)]);
  return rows.slice().sort((a, b) => {
    if (plain !== undefined) {
      // What is empty stays at the end in both directions.
      if (!a[plain] || !b[plain]) { return !a[plain] - !b[plain]; }
      return sign * a[plain].localeCompare(b[plain], "en", { numeric: true });
    }
    const [x, y] = [value(a), value(b)];
    if (isNaN(x) || isNaN(y)) { return isNaN(x) - isNaN(y); }
    return sign * (x - y);
  });
};

const drawHead = () => {
  const quantities = QUANTITIES.filter(quantity => shown.has(quantity));
  const head = (column, words, more = "") => {
    const state = order.column === column ? ` aria-sort="${order.down ? "descending" : "ascending"}"` : "";
    return `<th scope="col"${state}${more}><button type="button" data-column="${column}">${words}</button></th>`;
  };
  const of = card => `<th class="card" colspan="${quantities.length}"><a href="cards/${card.slug}.html" title="${escaped(card.target)}` +
    `${card.simulated ? ", simulated" : ""}">${escaped(card.name)}</a></th>`;
  const under = card => quantities.map((quantity, index) => head(`card ${card} ${quantity}`, SHORT[quantity],
    `${index === 0 ? " class=\"first\"" : ""} title="${quantity}"`));
  const span = " rowspan=\"2\"";
  const facts = head("encoding", "Enc.", span) + head("bytes", "Bytes", span) + head("said", "Sources disagree", span);
  table.tHead.innerHTML = `<tr>${head("name", "Instruction", span)}${inOrder(facts, [...cards].map(card => of(SITE.cards[card])).join(""))}</tr>` +
    `<tr>${[...cards].flatMap(under).join("")}</tr>`;
  table.style.setProperty("--first-row", `${table.tHead.querySelector("th.card")?.offsetHeight ?? 0}px`);
};

const draw = () => {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isOfUnit = row => !unit.value || row[6] === unit.value;
  const isOfGeneration = row => !generation.value || SITE.cards.some((card, at) => card.generation === generation.value && row[4][at]);
  const found = sorted(SITE.rows.filter((row, index) => (!only.checked || row[3]) && isOfUnit(row) && isOfGeneration(row) &&
    wanted.every(word => words[index].includes(word))));
  count.textContent = `${found.length} of ${SITE.rows.length} instructions`;
  const body = table.tBodies[0];
  const turn = ++drawing;
  body.innerHTML = found.slice(0, AT_ONCE).map(rowOf).join("");
  const more = at => {
    // Another search has begun meanwhile.
    if (turn !== drawing || at >= found.length) { return; }
    body.insertAdjacentHTML("beforeend", found.slice(at, at + AT_ONCE).map(rowOf).join(""));
    setTimeout(more, 0, at + AT_ONCE);
  };
  setTimeout(more, 30, AT_ONCE);
  history.replaceState(null, "", search.value ? `#${encodeURIComponent(search.value)}` : location.pathname + location.search);
};

// Each value once, in the order of the rows or cards.
const offer = (list, values) => [...new Set(values)].filter(Boolean).forEach(value => list.add(new Option(value)));
offer(unit, SITE.rows.map(row => row[6]).sort());
offer(generation, SITE.cards.map(card => card.generation));

const redraw = () => { drawHead(); draw(); };

document.querySelector("#quantities").insertAdjacentHTML("beforeend", QUANTITIES.map(quantity =>
  `<label class="chip"><input type="checkbox" value="${quantity}"${shown.has(quantity) ? " checked" : ""}><span>${quantity}</span></label>`).join(""));
const choices = (box, set, value) => document.querySelector(box).addEventListener("change", event => {
  set[event.target.checked ? "add" : "delete"](value(event.target.value));
  // Cards stay in their order.
  const sorted = [...set].sort((a, b) => a - b);
  set.clear();
  sorted.forEach(one => set.add(one));
  redraw();
});
choices("#quantities", shown, value => value);
choices("#cards", cards, Number);
search.addEventListener("input", draw);
[only, unit, generation].forEach(filter => filter.addEventListener("change", draw));
table.tHead.addEventListener("click", event => {
  const column = event.target.dataset.column;
  if (column === undefined) { return; }
  order = { column, down: order.column === column && !order.down };
  redraw();
});
table.tBodies[0].addEventListener("click", event => {
  const cell = event.target.closest("td");
  if (cell?.dataset.within) { [cell.textContent, cell.dataset.within] = [cell.dataset.within, cell.textContent]; }
  if (cell?.classList.contains("said")) { cell.classList.toggle("open"); }
});
// `/` goes to the search, as on other sites of this kind.
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
});

// A link can name what is searched for.
try { search.value = decodeURIComponent(location.hash.slice(1)); } catch { search.value = ""; }
redraw();
