import { hasPart } from '../values/names.ts';

/** From this share of rows on, the content leaves no doubt: a few people have one word for both names, or a nickname. */
const clearShare = 0.95;

/** Whether the names of one column contain those of another one, in all rows. */
export class NamePair {
  readonly full: number;
  readonly part: number;
  #containing = 0;
  #others = 0;
  #partsAlone = 0;

  constructor(full: number, part: number) {
    this.full = full;
    this.part = part;
  }

  /** @param cells trimmed */
  add(cells: readonly string[]): void {
    const [full, part] = [cells[this.full] ?? '', cells[this.part] ?? ''];
    if (part === '') return;
    if (full === '') this.#partsAlone += 1;
    else if (hasPart(full, part)) this.#containing += 1;
    else this.#others += 1;
  }

  /** What the first column has: the full name, another part of it, or either of them. */
  get meaning(): 'full' | 'otherPart' | 'unclear' {
    const rows = this.#containing + this.#others;
    if (this.#containing >= clearShare * rows) return 'full';
    return this.#others >= clearShare * rows ? 'otherPart' : 'unclear';
  }

  /** Whether the full names alone are better than with the part: someone has a nickname in one of both. */
  get isPartNeedless(): boolean {
    return this.#others > 0 && this.#partsAlone === 0;
  }
}
