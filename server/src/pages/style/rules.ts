/** The rules that are the same for every site. The colors are variables that `styleSheet` sets. */
export const rules = `*, ::before, ::after { box-sizing: border-box; }

html {
  background: var(--page) radial-gradient(120% 60% at 50% 0, var(--glow), var(--page)) no-repeat;
  color: var(--text);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}

body {
  display: grid;
  min-block-size: 100vh;
  min-block-size: 100dvh;
  margin: 0;
  padding: clamp(1rem, 4vw, 3rem);
  place-content: center;
  justify-items: center;
  grid-template-columns: minmax(0, 1fr);
}

.card {
  inline-size: 100%;
  max-inline-size: 28rem;
  padding: clamp(1.25rem, 6vw, 2.75rem);
  border: 1px solid var(--line);
  border-radius: 1.25rem;
  background: var(--card);
  box-shadow: var(--shadow);
  overflow-wrap: anywhere;
}

.wide { max-inline-size: 36rem; }

header {
  display: flex;
  align-items: center;
  gap: 0.875rem;
  margin-block-end: 2rem;
}

.site {
  margin: 0;
  font-weight: 600;
  line-height: 1.3;
}

.initial {
  display: grid;
  flex: none;
  inline-size: 3rem;
  block-size: 3rem;
  place-items: center;
  border: 1px solid var(--accent);
  border-radius: 0.875rem;
  background: var(--button);
  color: var(--on-button);
  font-size: 1.375rem;
  font-weight: 650;
  line-height: 1;
}

.logo {
  flex: none;
  block-size: 3rem;
  inline-size: auto;
  min-inline-size: 1.5rem;
  max-inline-size: 9rem;
  object-fit: contain;
  border-radius: 0.5rem;
}

footer {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 0.25rem 1.5rem;
  margin-block-start: 1.5rem;
  font-size: 0.9375rem;
}

footer a { padding-block: 0.375rem; color: var(--soft); }

footer a:hover { color: var(--text); }

h1, h2 {
  line-height: 1.25;
  text-wrap: balance;
}

/* Japanese has no spaces. Short texts break between phrases, in browsers that find them. */
:lang(ja) { line-break: strict; }

:lang(ja) :is(h1, h2, label, button, .button, .details) { word-break: auto-phrase; }

h1 {
  margin: 0 0 0.75rem;
  font-size: 1.75rem;
  font-weight: 700;
  letter-spacing: -0.015em;
}

h2 {
  margin: 0 0 0.75rem;
  font-size: 1.0625rem;
  font-weight: 650;
}

p { margin: 0 0 1rem; text-wrap: pretty; }

a { color: var(--accent); text-underline-offset: 0.2em; }

form { margin: 0; }

:is(section, .fold) > form + form { margin-block-start: 1.5rem; }

.actions form + p { margin-block-start: 1rem; }

main > form, main > p:has(> .button) { margin-block-start: 1.5rem; }

main > :last-child, section > :last-child, main > form:last-child { margin-block-end: 0; }

label {
  display: block;
  margin-block-end: 0.375rem;
  font-weight: 600;
}

input:not([type="hidden"], [type="checkbox"]), select, textarea {
  display: block;
  inline-size: 100%;
  min-block-size: 3rem;
  margin: 0 0 1rem;
  padding: 0.625rem 0.875rem;
  border: 1px solid var(--field-line);
  border-radius: 0.75rem;
  background: var(--card);
  color: inherit;
  font: inherit;
}

textarea { resize: vertical; }

label:has([type="checkbox"]) {
  display: flex;
  gap: 0.625rem;
  margin-block-end: 0.75rem;
  font-weight: 400;
}

[type="checkbox"] {
  flex: none;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  margin: 0.2rem 0 0;
  accent-color: var(--accent);
}

[aria-invalid="true"] { border-color: var(--problem); }

input.code {
  font-size: 1.5rem;
  font-variant-numeric: tabular-nums;
  letter-spacing: 0.3em;
}

button, .button {
  display: block;
  inline-size: 100%;
  min-block-size: 3rem;
  padding: 0.625rem 1.25rem;
  border: 1px solid var(--accent);
  border-radius: 0.75rem;
  background: var(--button);
  color: var(--on-button);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
  transition: box-shadow 0.15s, background-color 0.15s;
}

button:hover, .button:hover { box-shadow: 0 0 0 3px var(--glow), 0 0 0 4px var(--line); }

button:active, .button:active { box-shadow: none; }

@media (min-width: 36rem) {
  .wide button:not(.marked) {
    inline-size: auto;
    min-inline-size: 10rem;
  }

  .wide .rows button { min-inline-size: 0; }
}

.quiet {
  border-color: var(--field-line);
  background: transparent;
  color: var(--text);
}

.ways, .choice {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
}

.marked > span { min-inline-size: 0; }

.ways .details { margin: 0; text-align: center; }

form + .ways { margin-block-start: 0.75rem; }

.marked {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 0.75rem;
}

.mark {
  flex: none;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  vertical-align: -0.2rem;
}

/* Marks are drawn for the card. On the color of the site they need paper of their own. */
.marked:not(.quiet) .mark {
  inline-size: 1.75rem;
  block-size: 1.75rem;
  padding: 0.25rem;
  border-radius: 0.375rem;
  background: #ffffff;
  color: #1c1d21;
}

.or {
  display: flex;
  align-items: center;
  gap: 1rem;
  margin-block: 1.25rem;
  color: var(--soft);
  font-size: 0.9375rem;
}

.or::before, .or::after {
  flex: 1;
  border-block-start: 1px solid var(--line);
  content: "";
}

:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}

.problem, .success {
  padding: 0.75rem 1rem;
  border-inline-start: 4px solid var(--problem);
  border-radius: 0.5rem;
  background: var(--problem-back);
  color: var(--problem);
}

.success {
  border-color: var(--success);
  background: var(--success-back);
  color: var(--success);
}

.aside, main > section {
  margin-block-start: 2rem;
  padding-block-start: 1.5rem;
  border-block-start: 1px solid var(--line);
}

.aside { font-size: 0.9375rem; color: var(--soft); }

.aside h2 { color: var(--text); }

.aside ul { margin: 0 0 1rem; padding-inline-start: 1.25rem; }

/* Scripts for passkeys set the class, before the page is painted. */
:root:not(.passkeys) .if-passkeys, .passkeys .unless-passkeys { display: none; }

.rows { margin: 0; padding: 0; list-style: none; }

.rows li {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.25rem 1rem;
  padding-block: 0.625rem;
  border-block-start: 1px solid var(--line);
}

.rows li:first-child { border-block-start: 0; }

.rows p { margin: 0; }

.row { flex: 1 1 6rem; min-inline-size: 0; }

.rows button {
  inline-size: auto;
  min-block-size: 2.25rem;
  padding: 0.25rem 0.875rem;
  border-radius: 0.625rem;
  font-size: 0.875rem;
}

.rows + :is(form, p, .ways), .fold + :is(form, p, .ways) { margin-block-start: 1.25rem; }

.name { font-weight: 600; line-height: 1.4; }

.rows .details { font-size: 0.875rem; }

/* What is seldom needed. It opens without a script. */
.rows + .fold { border-block-start: 1px solid var(--line); }

.fold > summary {
  padding-block: 0.625rem;
  color: var(--accent);
  font-weight: 600;
  cursor: pointer;
}

.fold[open] > summary { margin-block-end: 0.375rem; }

form + .fold { margin-block-start: 0.75rem; }

.details { font-size: 0.9375rem; color: var(--soft); }

.badge {
  display: inline-block;
  padding: 0 0.625rem;
  border: 1px solid var(--accent);
  border-radius: 1rem;
  color: var(--accent);
  font-size: 0.8125rem;
  font-weight: 600;
}

.soon { border-color: var(--warning); color: var(--warning); }

@media (prefers-color-scheme: dark) {
  /* Most logos are drawn for white paper. */
  .logo { padding: 0.25rem; background: #ffffff; }
}

@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; }
}

@media (prefers-contrast: more) {
  .card, input:not([type="hidden"]), select { border-color: currentcolor; }
}

@media (forced-colors: active) {
  .initial, .badge { border: 1px solid CanvasText; }
}

@media print {
  form, .button { display: none; }
}
`;
