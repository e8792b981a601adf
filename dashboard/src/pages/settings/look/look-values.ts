import { changedFields, type FormSection } from '../form/form-section.ts';

export interface LookValues {
  color: string;
  /** A new logo as a `data:` URL, null to remove it, undefined to keep it. */
  logo: string | null | undefined;
}

const colorForm = /^#[0-9a-f]{6}$/i;

export const lookSection: FormSection<LookValues> = {
  fields: ['color', 'logoUrl'],
  toValues: ({ color }) => ({ color: color ?? '', logo: undefined }),
  toChanges: ({ color }, values) =>
    changedFields(
      { color, logo: undefined },
      { color: values.color.toLowerCase() || null, logo: values.logo },
    ),
  validate: (t) => ({ color: (color) => (color === '' || isColor(color) ? null : t('colorWrong')) }),
  validatedOnBlur: ['color'],
};

export function isColor(text: string): boolean {
  return colorForm.test(text);
}
