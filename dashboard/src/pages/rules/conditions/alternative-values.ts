import type { AccessAlternative, GroupMatch } from '@gatehouse/client';
import { randomId } from '@mantine/hooks';
import type { TextAreas } from '../../../languages/areas.ts';
import { isNetwork } from './network.ts';

/** The fields of an alternative in the form. */
export interface AlternativeValues {
  /** Identifies it while others are removed. */
  id: string;
  access: AccessAlternative['access'];
  groupIds: string[];
  match: GroupMatch;
  /** Only for page codes. */
  pageCodeIds: string[];
  /** RFC 3339; null without a limit, `invalid` for a time that the service does not support. */
  from: string | null;
  until: string | null;
  networks: string[];
}

/** The value of a time that is out of range. */
export const invalidTime = 'invalid';

/** Why a field cannot have its value: the name of a text, and its values. */
export type FieldFault = readonly [
  text: keyof TextAreas['rules'] & string,
  values?: Readonly<Record<string, string | number>>,
];

export function toAlternativeValues(alternative: AccessAlternative): AlternativeValues {
  const { access, groupIds = [], match = 'any', pageCodeIds = [] } = alternative;
  const { from = null, until = null, networks = [] } = alternative;
  return { id: randomId(), access, groupIds, match, pageCodeIds, from, until, networks };
}

/** The alternative as the service stores it. The values must have no faults. */
export function toAlternative(values: AlternativeValues): AccessAlternative {
  const { access, groupIds, match, pageCodeIds, from, until, networks } = values;
  return {
    access,
    ...(mayNeedGroups(access) && groupIds.length > 0 && { groupIds, match }),
    ...(access === 'code' && { pageCodeIds: [...pageCodeIds] }),
    ...(from !== null && { from }),
    ...(until !== null && { until }),
    ...(networks.length > 0 && { networks }),
  };
}

/** Whether it is for members, who can also be required to be in groups. */
export function mayNeedGroups(access: AccessAlternative['access']): boolean {
  return access === 'members' || access === 'paying_members';
}

/** What the service would reject, by field. */
export function alternativeFaults(
  values: AlternativeValues,
): Partial<Record<keyof AlternativeValues, FieldFault>> {
  const { access, pageCodeIds, from, until, networks } = values;
  const isUnlimited = from === null && until === null && networks.length === 0;
  const wrong = networks.find((network) => !isNetwork(network));
  const endFault = untilFault(values);
  return {
    ...(access === 'public' && isUnlimited && { access: ['alternative.unlimited'] }),
    ...(access === 'code' && pageCodeIds.length === 0 && { pageCodeIds: ['codesMissing'] }),
    ...(from === invalidTime && { from: ['alternative.timeRange'] }),
    ...(endFault && { until: endFault }),
    ...(wrong !== undefined && { networks: ['alternative.networkWrong', { network: wrong }] }),
  };
}

function untilFault({ from, until }: AlternativeValues): FieldFault | undefined {
  if (until === invalidTime) return ['alternative.timeRange'];
  if (from === null || from === invalidTime || until === null) return undefined;
  return until <= from ? ['alternative.untilBeforeFrom'] : undefined;
}
