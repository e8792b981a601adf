import { type ConnectedType, isConnected, sourceTypeNames } from '@gatehouse/contract/source-types';

const setUpSteps = ['connect', 'collections', 'columns', 'check', 'start'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

/** The search parameters of the page: the type of a new source, or an existing source and the step to begin with. */
export interface SetUpSearch {
  type?: ConnectedType;
  source?: string;
  step?: SetUpStep;
}

/** Parses the search parameters. Invalid ones are left out. */
export function readSetUpSearch({ type, source, step }: Record<string, unknown>): SetUpSearch {
  const knownType = sourceTypeNames.filter(isConnected).find((each) => each === type);
  const knownStep = setUpSteps.find((each) => each === step);
  return {
    ...(knownType && { type: knownType }),
    ...(typeof source === 'string' && { source }),
    ...(knownStep && { step: knownStep }),
  };
}
