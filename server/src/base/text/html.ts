/** Markup in which every value is escaped. Only `html` creates it. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

/**
 * A value in a template. Strings and numbers are escaped, `Html` and lists of it are inserted as they are, anything
 * else prints nothing.
 */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | null | undefined | false;

/**
 * Builds HTML: `` html`<p title="${title}">${text}</p>` ``. Values are escaped for text and for double-quoted
 * attributes. Throws when a value is in an attribute without double quotes. Scripts and styles must not contain
 * values.
 */
export function html(literals: TemplateStringsArray, ...values: HtmlValue[]): Html {
  checkAttributes(literals);
  let markup = literals[0]!;
  values.forEach((value, index) => {
    markup += print(value) + literals[index + 1]!;
  });
  return new Html(markup);
}

const checked = new WeakSet<TemplateStringsArray>();

function checkAttributes(literals: TemplateStringsArray): void {
  if (checked.has(literals)) return;
  if (literals.slice(0, -1).some((before) => /\s[\w-]+=\s*$/.test(before))) {
    throw new TypeError('A value in an attribute must be in double quotes.');
  }
  checked.add(literals);
}

function print(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(print).join('');
  return escapeText(String(value));
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character]!);
}
