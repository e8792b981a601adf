import type { Site, UpdateSite } from '@gatehouse/client';
import type { FormValidateInput } from '@mantine/form';
import type { Texts } from '../../../languages/texts.tsx';

/** A section of the settings whose values are saved together. */
export interface FormSection<Values extends object> {
  /** What it can change of the site. That somebody else has changed something else is no conflict. */
  readonly fields: readonly (keyof Site)[];
  readonly toValues: (site: Site) => Values;
  /** What is sent for the values; undefined if they are those of the site. */
  readonly toChanges: (site: Site, values: Values) => UpdateSite | undefined;
  /** The values as they are understood, before they are saved. */
  readonly normalize?: (values: Values) => Values;
  /** The fields that are checked as soon as they are left. */
  readonly validatedOnBlur?: readonly (keyof Values & string)[];
  readonly validate?: (t: Texts<'settings'>) => FormValidateInput<Values>;
  /** The form field for a JSON pointer in an error of the service, if it is not named like its first part. */
  readonly fieldOf?: (pointer: string) => string | undefined;
}

/** The fields whose value differs; undefined if none does. */
export function changedFields<Fields extends object>(
  before: Fields,
  fields: Fields,
): Partial<Fields> | undefined {
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
  );
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Fields>);
}

/** The version that was just saved, with the input typed since it was sent. */
export function withTyped<Values extends object>(saved: Values, sent: Values, typed: Values): Values {
  return { ...saved, ...changedFields(sent, typed) };
}
