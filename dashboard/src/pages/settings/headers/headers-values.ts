import type { Site } from '@gatehouse/client';
import { changedFields, type FormSection } from '../form/form-section.ts';

/** The fields of identity headers, in the order of the form. */
export const headerFields = ['user', 'email', 'name', 'groups', 'signed'] as const;
export type HeaderField = (typeof headerFields)[number];

/** The names of the headers; empty for one that is not sent. */
export type HeadersValues = Record<HeaderField, string> & {
  encoding: Site['identityHeaders']['encoding'];
};

export const headersSection: FormSection<HeadersValues> = {
  fields: ['identityHeaders'],
  toValues: ({ identityHeaders }) => mapHeaders(identityHeaders, (name) => name ?? ''),
  toChanges: ({ identityHeaders }, values) =>
    changedFields(
      { identityHeaders: mapHeaders(identityHeaders, (name) => name) },
      { identityHeaders: mapHeaders(values, (name) => name.trim().toLowerCase() || null) },
    ),
  fieldOf: (pointer) => {
    const [first, field] = pointer.slice(1).split('/');
    return first === 'identityHeaders' ? field : undefined;
  },
};

function mapHeaders<From, To>(
  {
    encoding,
    user,
    email,
    name,
    groups,
    signed,
  }: Record<HeaderField, From> & Pick<HeadersValues, 'encoding'>,
  map: (name: From) => To,
): Record<HeaderField, To> & Pick<HeadersValues, 'encoding'> {
  return {
    encoding,
    user: map(user),
    email: map(email),
    name: map(name),
    groups: map(groups),
    signed: map(signed),
  };
}
