const redrawMilliseconds = 100;
const lineMilliseconds = 5_000;
const barWidth = 24;

/** Shows the progress of long work on the standard error: a bar on a terminal, occasional lines elsewhere. */
export class Progress {
  readonly #label: string;
  readonly #show: ((done: number, total: number | undefined) => void) | undefined;
  #shownAt = performance.now();
  #shownTenths = 0;

  /** @param quiet for `--json`, where only the result is printed */
  constructor(label: string, quiet = false) {
    this.#label = label;
    if (quiet) this.#show = undefined;
    else this.#show = process.stderr.isTTY ? this.#drawBar : this.#writeLine;
  }

  update(done: number, total?: number): void {
    this.#show?.(done, total);
  }

  /** Clears the line of the bar. */
  end(): void {
    if (this.#show === this.#drawBar) process.stderr.write('\r\x1b[K');
  }

  #drawBar(done: number, total: number | undefined): void {
    const now = performance.now();
    if (now - this.#shownAt < redrawMilliseconds && done !== total) return;
    this.#shownAt = now;
    process.stderr.write(`\r\x1b[K${this.#label} ${barOf(done, total)}${textOf(done, total)}`);
  }

  #writeLine(done: number, total: number | undefined): void {
    const now = performance.now();
    const tenths = total === undefined || total === 0 ? 0 : Math.floor((done / total) * 10);
    const due = total === undefined ? now - this.#shownAt >= lineMilliseconds : tenths > this.#shownTenths;
    if (!due) return;
    this.#shownAt = now;
    this.#shownTenths = tenths;
    process.stderr.write(`${this.#label} ${textOf(done, total)}\n`);
  }
}

function barOf(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return '';
  const filled = Math.round((done / total) * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} `;
}

function textOf(done: number, total: number | undefined): string {
  if (total === undefined) return done.toLocaleString('en');
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} (${percent} %)`;
}
