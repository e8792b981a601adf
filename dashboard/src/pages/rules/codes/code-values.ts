import type { CreatePageCode, PageCode } from '@gatehouse/client';
import { minChosenCodeLength } from '@gatehouse/contract/limits';

export const codeTypes = ['words', 'characters', 'chosen'] as const;

/** How a code comes about, as entered. */
export interface CodeValues {
  type: (typeof codeTypes)[number];
  /** Only for one that the operator chooses. */
  code: string;
}

export const newCodeValues: CodeValues = { type: 'words', code: '' };

/** The code as the API takes it. */
export function toCode({ type, code }: CodeValues): Pick<CreatePageCode, 'type' | 'code'> {
  return type === 'chosen' ? { type, code: code.trim() } : { type };
}

/** The code to show to the operator who has just made it. The service returns only one that it has generated. */
export function textOf({ code }: PageCode, chosen: CodeValues): string {
  return code ?? chosen.code.trim();
}

/** Whether a chosen code is too short. Spaces and hyphens do not count. */
export function isTooShort({ type, code }: CodeValues): boolean {
  const counted = code.match(/[\p{L}\p{N}]/gu) ?? [];
  return type === 'chosen' && counted.length < minChosenCodeLength;
}
