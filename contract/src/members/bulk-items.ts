import { type Static, type TSchema, Type } from 'typebox';
import { type ErrorCode, errorHelp } from '../shared/error-codes.ts';
import { maxBulkMembers } from '../shared/limits.ts';
import { openEnumeration, text } from '../shared/schemas.ts';

/** The items that a bulk operation accepts. */
export function bulkItems<Item extends TSchema>(item: Item, description: string) {
  return Type.Array(item, { minItems: 1, maxItems: maxBulkMembers, description });
}

/** Why an item failed. @param why the same as a sentence */
export function itemError<Code extends ErrorCode>(codes: readonly Code[], why: string, example: Code) {
  return Type.Object(
    {
      code: openEnumeration(codes, why, example),
      message: text('The reason in words.', errorHelp[example]),
    },
    { description: why },
  );
}

/** The response of a bulk operation: the result for each item, and the results in numbers. */
export function bulkResults<Result extends TSchema, Summary extends TSchema>(
  item: 'member' | 'update' | 'email address' | 'request',
  result: Result,
  summary: Summary,
  examples: readonly Static<Result>[],
) {
  const description = `One result for each ${item}, in the order submitted.`;
  return Type.Object({ data: Type.Array(result, { description, examples: [examples] }), summary });
}
