import { setImmediate } from 'node:timers/promises';
import type { PageFileType } from '@gatehouse/contract';
import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';
import { readStyleSheet } from './css-files.ts';
import type { FoundFiles } from './found-files.ts';
import { readSrcset } from './srcset.ts';

/** Read without a pause, in a millisecond. */
const partLength = 16_384;
/** The longest base URL: all others are resolved with it. */
const maxBaseLength = 4_096;

/**
 * Finds the files that a page loads. Only its tags are read: nested elements would take a parser quadratic time to
 * place. Other work of the thread goes on meanwhile.
 */
export async function readHtml(text: string, page: URL, files: FoundFiles): Promise<void> {
  const reader = new TagReader(page, files);
  for (let start = 0; start < text.length && !files.isFull; start += partLength) {
    reader.read(text.slice(start, start + partLength));
    await setImmediate();
  }
  reader.end();
  if (files.isFull) files.isComplete = false;
}

type Attributes = ReadonlyMap<string, string>;

/** What elements load, by the attribute that has its URL. */
const loading: Readonly<Record<string, Readonly<Record<string, PageFileType>>>> = {
  script: { src: 'script' },
  img: { src: 'image' },
  image: { href: 'image', 'xlink:href': 'image', src: 'image' },
  use: { href: 'image', 'xlink:href': 'image' },
  input: { src: 'image' },
  body: { background: 'image' },
  source: { src: 'other' },
  track: { src: 'other' },
  audio: { src: 'other' },
  video: { src: 'other', poster: 'image' },
  embed: { src: 'other' },
  object: { data: 'other' },
  iframe: { src: 'other' },
};

/** What `as` of a preload says (HTML Standard, section 4.6.7.20). */
const preloaded: Readonly<Record<string, PageFileType>> = {
  style: 'style_sheet',
  script: 'script',
  image: 'image',
  font: 'font',
};

/** Elements whose content has no tags (HTML Standard, section 13.2.6.4), outside of SVG and MathML. */
const textElements: Readonly<Record<string, Tokenizer['state']>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

class TagReader implements TokenHandler {
  readonly #files: FoundFiles;
  readonly #page: URL;
  readonly #tokenizer: Tokenizer;
  #base: URL;
  #hasBase = false;
  /** The text of the style element that is open. */
  #style: string | undefined;
  /** The elements of SVG or MathML that are open, and those in them whose content is HTML again. */
  #foreign = 0;
  #html = 0;

  constructor(page: URL, files: FoundFiles) {
    this.#page = page;
    this.#base = page;
    this.#files = files;
    this.#tokenizer = new Tokenizer({}, this);
  }

  read(part: string): void {
    this.#tokenizer.write(part, false);
  }

  end(): void {
    this.#tokenizer.write('', true);
    this.#endStyle();
  }

  onStartTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    const attributes: Attributes = new Map(attrs.map(({ name, value }) => [name, value]));
    if (!selfClosing) this.#enter(tagName);
    if (tagName === 'base') this.#setBase(attributes);
    else if (tagName === 'link') this.#addLink(attributes);
    else this.#addFiles(tagName, attributes);
    const style = attributes.get('style');
    if (style !== undefined) readStyleSheet(style, this.#base, this.#files);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (tagName === 'style') this.#endStyle();
    if (isForeign(tagName)) this.#foreign = Math.max(0, this.#foreign - 1);
    if (tagName === 'foreignobject') this.#html = Math.max(0, this.#html - 1);
    this.#followNamespace();
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.#style !== undefined) this.#style += chars;
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  #enter(tagName: string): void {
    if (isForeign(tagName)) this.#foreign += 1;
    else if (tagName === 'foreignobject') this.#html += 1;
    const mode = textElements[tagName];
    if (mode !== undefined && !this.#isForeign) this.#tokenizer.state = mode;
    if (tagName === 'style') this.#style = '';
    this.#followNamespace();
  }

  get #isForeign(): boolean {
    return this.#foreign > this.#html;
  }

  /** Only there, it reads sections of CDATA. */
  #followNamespace(): void {
    this.#tokenizer.inForeignNode = this.#isForeign;
  }

  #endStyle(): void {
    if (this.#style !== undefined) readStyleSheet(this.#style, this.#base, this.#files);
    this.#style = undefined;
  }

  /** Only the first one counts, and not with a scheme that loads nothing (HTML Standard, section 4.2.3). */
  #setBase(attributes: Attributes): void {
    const href = attributes.get('href');
    if (href === undefined || this.#hasBase) return;
    this.#hasBase = true;
    const base = href.length <= maxBaseLength ? URL.parse(href, this.#page) : null;
    if (base && /^https?:$/.test(base.protocol)) this.#base = base;
  }

  #addLink(attributes: Attributes): void {
    const type = typeOfLink(attributes);
    if (type === undefined) return;
    this.#files.add(attributes.get('href') ?? '', this.#base, type);
    this.#addAll(attributes.get('imagesrcset'));
  }

  #addFiles(tagName: string, attributes: Attributes): void {
    if (!Object.hasOwn(loading, tagName)) return;
    for (const [name, type] of Object.entries(loading[tagName]!)) {
      const reference = attributes.get(name);
      if (reference !== undefined) this.#files.add(reference, this.#base, type);
    }
    if (tagName === 'img' || tagName === 'source') this.#addAll(attributes.get('srcset'));
  }

  #addAll(srcset: string | undefined): void {
    for (const reference of readSrcset(srcset ?? '')) this.#files.add(reference, this.#base, 'image');
  }
}

function isForeign(tagName: string): boolean {
  return tagName === 'svg' || tagName === 'math';
}

function typeOfLink(attributes: Attributes): PageFileType | undefined {
  const kinds = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  if (kinds.includes('stylesheet')) return 'style_sheet';
  if (kinds.some((kind) => kind === 'icon' || /^apple-touch-icon|^mask-icon$/.test(kind))) return 'image';
  if (kinds.includes('modulepreload')) return 'script';
  if (kinds.includes('manifest')) return 'other';
  return kinds.includes('preload')
    ? (preloaded[attributes.get('as')?.toLowerCase() ?? ''] ?? 'other')
    : undefined;
}
