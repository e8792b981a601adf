import { cutName } from './long-names.ts';
import { readingsOf } from './name-readings.ts';
import { withNamedOctets } from './named-octets.ts';

/** Finds the values whose names some program may read like another name. */
export class NameIndex<Value> {
  readonly #byReading = new Map<string, Value[]>();

  add(name: string, value: Value): void {
    for (const reading of new Set(allReadingsOf(name))) {
      const known = this.#byReading.get(reading);
      if (known) known.push(value);
      else this.#byReading.set(reading, [value]);
    }
  }

  /** Whether a value that is not `own` may have the name. */
  hasOther(name: string, isOwn: (value: Value) => boolean): boolean {
    return allReadingsOf(name).some(
      (reading) => this.#byReading.get(reading)?.some((value) => !isOwn(value)) === true,
    );
  }
}

/** The readings of a name, of what is left of a long one, and of the name whose bytes it has. */
function allReadingsOf(name: string): readonly string[] {
  const readings = withNamedOctets(name).flatMap((each) => {
    const cut = cutName(each);
    return cut === each ? readingsOf(each) : [...readingsOf(each), ...readingsOf(cut)];
  });
  // Programs that read numbers read `07` as `7`.
  return readings.map((reading) => reading.replace(/^0+(?=\d)/, ''));
}
