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

/** WordPress looks up only so much of a name: its ASCII characters, and three for each byte of the others. */
const maxLookedUp = 200;

/** A name as it is looked up by programs that ignore the end of a long one. */
export function cutName(name: string): string {
  // No character takes more than nine for each unit of its text.
  if (name.length * 9 <= maxLookedUp) return name;
  let length = 0;
  let end = 0;
  for (const character of name) {
    length += character <= '\x7f' ? 1 : 3 * Buffer.byteLength(character);
    if (length > maxLookedUp) return name.slice(0, end);
    end += character.length;
  }
  return name;
}
