import type { MemberStatus } from '@gatehouse/contract';

const paidWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

/** Undefined for what means neither. */
export function parsePaid(cell: string): boolean | undefined {
  return paidWords[cell.trim().toLowerCase()];
}

export function parseStatus(cell: string): MemberStatus | undefined {
  const word = cell.trim().toLowerCase();
  return word === 'active' || word === 'blocked' ? word : undefined;
}

/** Names of groups in one cell, separated by `;`. Within a name `;` is written `\;` and `\` is written `\\`. */
export function joinGroupNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\;]/g, '\\$&')).join(';');
}

export function splitGroupNames(cell: string): string[] {
  const parts = cell.match(/(?:\\[\\;]|[^;])+/g) ?? [];
  const names = parts.map((part) =>
    part
      .replaceAll(/\\([\\;])/g, '$1')
      .trim()
      .normalize('NFC'),
  );
  return [...new Set(names)].filter((name) => name !== '');
}
