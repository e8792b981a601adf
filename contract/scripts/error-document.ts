import { operations, streamOperations } from '../src/operations.ts';
import { type ErrorCode, errorCodes, errorHelp, errorStatus } from '../src/shared/error-codes.ts';
import {
  bulkActionErrorCodes,
  bulkErrorCodes,
  bulkUpdateErrorCodes,
  commonErrorCodes,
  recentLoginErrorCodes,
} from '../src/shared/errors.ts';
import type { Operation } from '../src/shared/operation.ts';

const start = '<!-- errors: `npm run openapi` writes this -->';
const end = '<!-- end of errors -->';

/** Codes that many operations return, by which operations these are. */
const shared: readonly [codes: readonly ErrorCode[], where: string][] = [
  [['passkey_required', ...recentLoginErrorCodes], 'operations of the dashboard'],
  [commonErrorCodes.everyOperation, 'every operation'],
  [['missing_api_key', 'invalid_api_key', 'permission_denied'], 'every operation that needs an API key'],
  [commonErrorCodes.withBody, 'every operation with a body'],
  [commonErrorCodes.withCursor, 'every list with pages'],
  [commonErrorCodes.idempotent, 'every operation that accepts an `Idempotency-Key`'],
  [commonErrorCodes.conditional, 'every operation that accepts `If-Match`'],
  [commonErrorCodes.beforeOperation, 'requests that reach no operation'],
  [bulkErrorCodes, 'single members of `POST /members/bulk`'],
  [bulkUpdateErrorCodes, 'single members of `POST /members/bulk-updates`'],
  [bulkActionErrorCodes, 'single members of `POST /members/bulk-actions`'],
];

/** docs/errors.md, with a section for each error code of the contract. */
export function withErrors(document: string): string {
  const [before, rest] = document.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`The document lacks ${start} or ${end}`);
  const statuses = Map.groupBy(errorCodes, (code) => errorStatus[code]);
  const sections = [...statuses].map(
    ([status, codes]) => `## ${status}\n\n${codes.map(sectionOf).join('\n')}`,
  );
  return `${before}${start}\n\n${sections.join('\n')}\n${end}${after}`;
}

function sectionOf(code: ErrorCode): string {
  return `### \`${code}\`\n\n${errorHelp[code]}\n\nReturned by: ${whereReturned(code)}.\n`;
}

function whereReturned(code: ErrorCode): string {
  const own = Object.values<Operation>({ ...operations, ...streamOperations })
    .filter(({ errors }) => errors.includes(code))
    .map(({ method, path }) => `\`${method} ${path}\``);
  const common = shared.filter(([codes]) => codes.includes(code)).map(([, where]) => where);
  const where = [...own, ...common];
  // What is left is in the contract of the dashboard alone.
  return where.length === 0 ? 'operations of the dashboard' : where.join(', ');
}
