import type { AccessAlternative } from '@gatehouse/contract';

import { invalidRequest } from '../../base/api-error.ts';
import { toTimestamp } from '../../base/clock.ts';
import { normalizeNetwork } from '../../base/networks/networks.ts';

/**
 * Validates the alternatives of a conditional rule. Returns them in their stored form: times in UTC, networks in CIDR
 * notation, each group and network once.
 * @param pointer where they are in the request
 * @throws {ApiError} `invalid_request`
 */
export function checkAlternatives(
  submitted: readonly AccessAlternative[],
  pointer: string,
): AccessAlternative[] {
  return submitted.map((alternative, index) => checkAlternative(alternative, `${pointer}/${index}`));
}

function checkAlternative(submitted: AccessAlternative, pointer: string): AccessAlternative {
  const { access, groupIds, match, networks } = submitted;
  const pageCodeIds = checkPageCodeIds(submitted, pointer);
  if (groupIds === undefined && match !== undefined) {
    throw invalidRequest(`${pointer}/match`, 'Add "groupIds", or leave out "match".');
  }
  if ((access === 'public' || access === 'code') && groupIds !== undefined) {
    throw invalidRequest(
      `${pointer}/groupIds`,
      'Only members are in groups. Set "access" to "members" or "paying_members".',
    );
  }
  const times = checkTimes(submitted, pointer);
  if (access === 'public' && networks === undefined && Object.keys(times).length === 0) {
    throw invalidRequest(
      `${pointer}/access`,
      'With this alternative everyone always has access. Add a time or networks, or use a rule for "public".',
    );
  }
  return {
    access,
    ...(groupIds && {
      groupIds: [...new Set(groupIds.map((id) => id.toLowerCase()))],
      match: match ?? 'any',
    }),
    ...(pageCodeIds && { pageCodeIds }),
    ...times,
    ...(networks && {
      networks: [
        ...new Set(networks.map((text, index) => checkNetwork(text, `${pointer}/networks/${index}`))),
      ],
    }),
  };
}

function checkPageCodeIds({ access, pageCodeIds }: AccessAlternative, pointer: string): string[] | undefined {
  if (access === 'code' && pageCodeIds === undefined) {
    throw invalidRequest(
      `${pointer}/pageCodeIds`,
      'Add the codes, of which one is enough, as "pageCodeIds".',
    );
  }
  if (access !== 'code' && pageCodeIds !== undefined) {
    throw invalidRequest(`${pointer}/pageCodeIds`, 'Set "access" to "code", or leave out the codes.');
  }
  return pageCodeIds && [...new Set(pageCodeIds.map((id) => id.toLowerCase()))];
}

function checkTimes(
  submitted: AccessAlternative,
  pointer: string,
): Pick<AccessAlternative, 'from' | 'until'> {
  const from = checkTime(submitted.from, `${pointer}/from`);
  const until = checkTime(submitted.until, `${pointer}/until`);
  if (from !== undefined && until !== undefined && until <= from) {
    throw invalidRequest(`${pointer}/until`, '"until" must be later than "from".');
  }
  return { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
}

function checkTime(text: string | undefined, pointer: string): string | undefined {
  if (text === undefined) return undefined;
  const time = toTimestamp(text);
  if (time === undefined) throw invalidRequest(pointer, `"${text}" is not a time between 1970 and 9999.`);
  return time;
}

function checkNetwork(text: string, pointer: string): string {
  const network = normalizeNetwork(text);
  if (network !== undefined) return network;
  throw invalidRequest(
    pointer,
    `"${text}" is not an IP address or network. Write it as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32, with zeros after ` +
      'the prefix.',
  );
}
