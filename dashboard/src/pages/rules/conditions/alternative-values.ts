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
  const { access, groupIds = [], match = 'any', from = null, until = null, networks = [] } = alternative;
  return { id: randomId(), access, groupIds, match, from, until, networks };
}

/** The alternative as the service stores it. The values must have no faults. */
export function toAlternative(values: AlternativeValues): AccessAlternative {
  const { access, groupIds, match, from, until, networks } = values;
  return {
    access,
    ...(access !== 'public' && groupIds.length > 0 && { groupIds, match }),
    ...(from !== null && { from }),
    ...(until !== null && { until }),
    ...(networks.length > 0 && { networks }),
  };
}

/** What the service would reject, by field. */
export function alternativeFaults(
  values: AlternativeValues,
): Partial<Record<keyof AlternativeValues, FieldFault>> {
  const { access, from, until, networks } = values;
  const isUnlimited = from === null && until === null && networks.length === 0;
  const wrong = networks.find((network) => !isNetwork(network));
  const endFault = untilFault(values);
  return {
    ...(access === 'public' && isUnlimited && { access: ['alternative.unlimited'] }),
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
