import type { CursorPosition, ListRequest, OrderRange } from './member-order.ts';
import type { SearchLimits } from './search-limits.ts';

/** What was found in a step of a scan. */
export interface Step<Match extends CursorPosition> {
  /** The first matches among the members of the step, at most as many as were wanted. */
  readonly matches: readonly Match[];
  /** The position of the last member of the step. Undefined at the end of the range. */
  readonly last: CursorPosition | undefined;
}

/**
 * Examines the next members of a range. If it finds fewer matches than wanted, it has examined every member before
 * `last` that was there all the time, even if others were added or deleted meanwhile.
 */
export type ReadStep<Match extends CursorPosition> = (
  range: OrderRange,
  size: number,
  wanted: number,
) => Promise<Step<Match>>;

/** The parts of the order that are examined after a position. */
export type RangesAfter = (after: CursorPosition | undefined) => OrderRange[];

/** Examines the members of a site in an order, one after the other, until it has found enough matches. */
export class MemberScan<Match extends CursorPosition> {
  readonly #matches = new Map<string, Match>();
  readonly #request: ListRequest;
  readonly #rangesAfter: RangesAfter;
  readonly #readStep: ReadStep<Match>;
  /** What is left of the order. */
  #ranges: OrderRange[];
  #position: CursorPosition | undefined;
  #size: number;

  constructor(
    request: ListRequest,
    { firstStep }: SearchLimits,
    rangesAfter: RangesAfter,
    readStep: ReadStep<Match>,
  ) {
    this.#request = request;
    this.#rangesAfter = rangesAfter;
    this.#readStep = readStep;
    this.#position = request.after;
    this.#ranges = rangesAfter(request.after);
    this.#size = firstStep;
  }

  /** The matching members, at most as many as were requested. One that moves in the order is found once. */
  get matches(): Match[] {
    return [...this.#matches.values()];
  }

  /** Whether enough was found, or there are no members after those that were examined. */
  get isFinished(): boolean {
    return this.#ranges.length === 0 || this.#matches.size === this.#request.limit;
  }

  /** The id of the last member of the last complete step. */
  get examinedTo(): string | undefined {
    return this.#position?.id;
  }

  /** Examines about so many more members. Then every match up to `examinedTo` is found. */
  async examine(count: number): Promise<void> {
    for (let left = count; left > 0 && !this.isFinished; this.#size *= 2) {
      const size = Math.min(this.#size, left);
      const wanted = this.#request.limit - this.#matches.size;
      const { matches, last } = await this.#readStep(this.#ranges[0]!, size, wanted);
      for (const match of matches) if (!this.#matches.has(match.id)) this.#matches.set(match.id, match);
      if (this.isFinished) return;
      // With as many matches as wanted, which were found before, the rest of the step was not examined.
      const position = matches.length === wanted ? matches.at(-1)! : last;
      // The last members of a range do not count: the position is known again after the next step.
      if (position === undefined) {
        this.#ranges.shift();
        continue;
      }
      left -= size;
      this.#position = position;
      this.#ranges = this.#rangesAfter(position);
    }
  }
}
