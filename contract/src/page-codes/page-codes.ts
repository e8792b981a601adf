import type { Static } from 'typebox';
import { maxPageCodes, maxPageCodeUses, minChosenCodeLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  count,
  dateTime,
  enumeration,
  exampleIds,
  integer,
  maxRawValueLength,
  noControlCharacters,
  nullable,
  openEnumeration,
  optional,
  rawText,
  request,
  shape,
  text,
  uuid,
  withCommas,
} from '../shared/schemas.ts';

export const pageCodeStatuses = ['active', 'paused', 'used_up', 'expired'] as const;
export type PageCodeStatus = (typeof pageCodeStatuses)[number];

export const pageCodeTypes = ['words', 'characters', 'chosen'] as const;
export type PageCodeType = (typeof pageCodeTypes)[number];

const typeText =
  '`words`: five words that Gatehouse generates, easy to read out. `characters`: ten letters and digits that Gatehouse ' +
  'generates. `chosen`: a code that the caller sets.';
const labelText =
  'What it is for. Programs behind the gate see it in the header `Remote-Page-Code`. At most 100 characters.';
const expiresAtText =
  'Until when it works; null for no end. Access by it ends then, also for those who have entered it before.';
const maxUsesText = `How many times it can be entered, at most ${withCommas(maxPageCodeUses)}; null for any number. Those who have entered it keep access.`;

export const PageCode = shape(
  'PageCode',
  'A code that gives access to pages without a login, where an access rule accepts it.',
  {
    id: uuid('The page code.', exampleIds.pageCode),
    label: text(labelText, 'Class 7b'),
    type: openEnumeration(pageCodeTypes, typeText, 'words'),
    code: nullable(
      text(
        'The code. Anyone who has it has access. Only for callers with `site:write`; null for one that was chosen.',
        'otter-canyon-violet-maple-seven',
      ),
    ),
    expiresAt: nullable(dateTime(expiresAtText, '2026-07-31T22:00:00.000Z')),
    maxUses: nullable(integer(maxUsesText, 60)),
    usedCount: count('How many times it has been entered.', 24),
    lastUsedAt: nullable(dateTime('When it was last entered; null if it was not.')),
    status: openEnumeration(
      pageCodeStatuses,
      '`active`: it can be entered. `paused`: it was chosen, and after too many wrong attempts on the site, chosen codes ' +
        'are not accepted for an hour; those who have entered it keep access. `used_up`: it was entered `maxUses` times. ' +
        '`expired`: it is past `expiresAt`.',
      'active',
    ),
    createdAt: dateTime('When it was created.'),
    updatedAt: dateTime('When it was last changed.'),
  },
);
export type PageCode = Static<typeof PageCode>;

/** A code that people choose. */
const chosenCode = text(
  `The code, with at least ${minChosenCodeLength} letters and digits. Only these count, in upper or lower case. It must be ` +
    'hard to guess: the title of the site, its domain and the label are refused.',
  'rowing on the lake',
  { minLength: minChosenCodeLength, maxLength: maxRawValueLength, pattern: noControlCharacters },
);

const newType = enumeration(
  pageCodeTypes,
  `${typeText} Defaults to \`chosen\` if \`code\` is given, otherwise to \`words\`.`,
  'words',
);

const settings = {
  expiresAt: nullable(dateTime(expiresAtText, '2099-07-31T22:00:00.000Z')),
  maxUses: nullable(integer(maxUsesText, 60, { minimum: 1, maximum: maxPageCodeUses })),
};

export const CreatePageCode = request(
  'CreatePageCode',
  {
    label: rawText(labelText, 'Class 7b'),
    ...optional({ type: newType, code: chosenCode, ...settings }),
  },
  { examples: [{ label: 'Class 7b' }] },
);
export type CreatePageCode = Static<typeof CreatePageCode>;

export const UpdatePageCode = changes(
  'UpdatePageCode',
  { label: rawText(labelText, 'Class 7b'), ...settings },
  { examples: [{ label: 'Class 8b' }] },
);
export type UpdatePageCode = Static<typeof UpdatePageCode>;

export const ReplacePageCode = request('ReplacePageCode', optional({ type: newType, code: chosenCode }), {
  examples: [{ type: 'words' }],
});
export type ReplacePageCode = Static<typeof ReplacePageCode>;

const pageCodes = new Resource({
  tag: 'Page codes',
  name: 'page code',
  read: 'site:read',
  write: 'site:write',
});

export const pageCodeOperations = named({
  listPageCodes: pageCodes.list({
    path: '/page-codes',
    summary: 'List page codes',
    description: 'The page codes of the site, newest first.',
    returns: PageCode,
  }),
  createPageCode: pageCodes.create({
    path: '/page-codes',
    summary: 'Create a page code',
    description:
      `Creates a code, which gives access where an access rule names it. A site may have ${maxPageCodes} page codes. An ` +
      'API key that expires creates codes that end no later than itself.',
    body: CreatePageCode,
    returns: PageCode,
    errors: ['page_code_taken', 'too_many_page_codes'],
  }),
  getPageCode: pageCodes.get({
    path: '/page-codes/{pageCodeId}',
    summary: 'Get a page code',
    description: 'One page code with its status.',
    returns: PageCode,
  }),
  updatePageCode: pageCodes.update({
    path: '/page-codes/{pageCodeId}',
    summary: 'Update a page code',
    description: 'Changes the given fields, at least one. The code itself stays the same.',
    body: UpdatePageCode,
    returns: PageCode,
  }),
  replacePageCode: pageCodes.act({
    path: '/page-codes/{pageCodeId}/replace',
    summary: 'Replace the code of a page code',
    description:
      'The former code stops working at once, also for those who have entered it. `usedCount` begins again.',
    body: ReplacePageCode,
    returns: PageCode,
    errors: ['page_code_taken'],
  }),
  deletePageCode: pageCodes.delete({
    path: '/page-codes/{pageCodeId}',
    summary: 'Revoke a page code',
    description:
      'Permanent. Access by it ends at once, also for those who have entered it. Access rules that name it stay.',
    success: 'The page code is revoked.',
  }),
});
