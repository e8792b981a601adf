import { maxListed } from '../../../domain/sources/runs/run.ts';

/** The first few of many addresses in sorted order, as they are shown in the result of a run. */
export class Sample {
  #sorted: string[] = [];

  add(email: string): void {
    const last = this.#sorted[maxListed - 1];
    if (last !== undefined && email >= last) return;
    this.#sorted = [...this.#sorted, email].sort().slice(0, maxListed);
  }

  get emails(): readonly string[] {
    return this.#sorted;
  }
}
