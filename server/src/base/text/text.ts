import { maxNameLength } from '@gatehouse/contract/limits';
import { directionControls, directionControlsMessage, nameProblem } from '@gatehouse/contract/names';
import { invalidRequest } from '../api-error.ts';

export { lengthOf, nameProblem } from '@gatehouse/contract/names';
export { foldCase } from '@gatehouse/contract/rule-paths';

/** Checks a name of 1 to 100 code points on one line. @throws {ApiError} `invalid_request` for the field `field` */
export function checkName(field: string, text: string, maxLength = maxNameLength): string {
  if (directionControls.test(text))
    throw invalidRequest(`/${field}`, `${field}: ${directionControlsMessage}`);
  if (text !== '' && nameProblem(text, maxLength) === undefined) return text;
  throw invalidRequest(`/${field}`, `${field} must have 1 to ${maxLength} characters on one line.`);
}
