import { type Static, type TSchema, Type } from 'typebox';
import { exampleIds, shape, text, uuid } from '../../shared/schemas.ts';

/** A value of a changed field. */
export type ChangedValue = string | number | boolean | null;

export const Change = shape('Change', 'One field that was changed.', {
  field: text('The name of the field.', 'displayName'),
  from: Type.Unsafe<ChangedValue>({
    type: ['string', 'integer', 'boolean', 'null'],
    description: 'Its value before.',
    examples: ['Ada Lovelace'],
  }),
  to: Type.Unsafe<ChangedValue>({
    type: ['string', 'integer', 'boolean', 'null'],
    description: 'Its value after.',
    examples: ['Ada King'],
  }),
});
export type Change = Static<typeof Change>;

export const changes = Type.Array(Change, { description: 'The fields that were changed.' });

export const memberId = uuid('The member.', exampleIds.member);

export function data<Properties extends Record<string, TSchema>>(title: string, properties: Properties) {
  return Type.Object(properties, { title });
}
