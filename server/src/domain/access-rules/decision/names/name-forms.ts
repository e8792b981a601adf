import { fold, type NameForm, pageName } from '@gatehouse/contract/rule-paths';
import { cutName } from './name-index.ts';
import { readingAt, readingsOf, wayCount } from './name-readings.ts';
import { withNamedOctets } from './named-octets.ts';

/** Two names that some server or program may take for the same folder or page are equal in one of these forms. */
export const nameForms: readonly NameForm[] = [
  fold,
  ...Array.from(
    { length: wayCount },
    (_, way): NameForm =>
      (name) => {
        const read = withNamedOctets(pageName(fold(name))).at(-1)!;
        return readingAt(readingsOf(cutName(read)), way);
      },
  ),
];
