import { changedFields, type FormSection } from '../form/form-section.ts';

/** The links, in the order of the form. */
export const linkNames = ['contact', 'upgrade', 'imprint', 'privacy'] as const;
export type LinkName = (typeof linkNames)[number];

/** Empty for a link that is not shown. An email address stands without `mailto:`. */
export type LinksValues = Record<LinkName, string>;

export const linksSection: FormSection<LinksValues> = {
  fields: ['links'],
  toValues: ({ links }) => mapLinks(links, (link) => (link ?? '').replace(/^mailto:/i, '')),
  toChanges: ({ links }, values) =>
    changedFields({ links: mapLinks(links, (link) => link) }, { links: mapLinks(values, toLink) }),
  fieldOf: (pointer) => {
    const [first, name] = pointer.slice(1).split('/');
    return first === 'links' ? name : undefined;
  },
};

/** The link for what was typed: people leave out how it begins. */
function toLink(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  if (/^[a-z][a-z\d+.-]*:\D/i.test(text)) return text;
  return /^[^/]*@/.test(text) ? `mailto:${text}` : `https://${text}`;
}

function mapLinks<From, To>(
  { contact, upgrade, imprint, privacy }: Record<LinkName, From>,
  map: (link: From) => To,
): Record<LinkName, To> {
  return { contact: map(contact), upgrade: map(upgrade), imprint: map(imprint), privacy: map(privacy) };
}
