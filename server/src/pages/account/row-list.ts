import { fill } from '@gatehouse/contract/fill';
import { type Html, type HtmlValue, html } from '../../base/text/html.ts';
import { type PageFrame, pageTexts } from '../page.ts';

/** A thing of the member in a list: its name, a line about it, and what can be done with it. */
export interface Row {
  /** The id of the name, which describes the button: all buttons of a list have the same text. */
  readonly anchor: string;
  readonly name: Html;
  /** Each is left out if it is false. */
  readonly details: readonly HtmlValue[];
  readonly form?: Html | false;
}

/** The rows of a list that are shown at once. */
const shownRows = 5;

/** A short list. The rows after the first ones are folded, unless there is only one. */
export function rowList(frame: PageFrame, rows: readonly Row[]): Html | false {
  if (rows.length === 0) return false;
  return foldedList(
    frame,
    rows.map((each) => row(each)),
  );
}

/** The items of a list, each with its own `<li>`. */
export function foldedList(frame: PageFrame, items: readonly Html[]): Html {
  const { texts } = pageTexts(frame);
  const shown = items.length > shownRows + 1 ? shownRows : items.length;
  const rest = items.slice(shown);
  const more = fill(texts['account.more'], { count: rest.length.toLocaleString(frame.language) });
  return html`<ul class="rows">
${items.slice(0, shown)}</ul>
${
  rest.length > 0 &&
  html`<details class="fold">
<summary>${more}</summary>
<ul class="rows">
${rest}</ul>
</details>
`
}`;
}

function row({ anchor, name, details, form }: Row): Html {
  const shown = details.filter((detail) => detail !== false && detail !== null && detail !== undefined);
  return html`<li>
<div class="row">
<p class="name" id="${anchor}">${name}</p>
${shown.length > 0 && html`<p class="details">${shown.map((detail, index) => html`${index > 0 && ' · '}${detail}`)}</p>\n`}</div>
${form}</li>
`;
}
