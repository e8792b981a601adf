export const setUpSteps = ['connect', 'collections', 'columns', 'check', 'start'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

export const guidedKinds = ['notion', 'list'] as const;
export type GuidedKind = (typeof guidedKinds)[number];

/** The search parameters of the page: the kind of a new source, or an existing source and the step to begin with. */
export interface SetUpSearch {
  kind?: GuidedKind;
  source?: string;
  step?: SetUpStep;
}

/** Parses the search parameters. Invalid ones are left out. */
export function readSetUpSearch({ kind, source, step }: Record<string, unknown>): SetUpSearch {
  const knownKind = guidedKinds.find((each) => each === kind);
  const knownStep = setUpSteps.find((each) => each === step);
  return {
    ...(knownKind && { kind: knownKind }),
    ...(typeof source === 'string' && { source }),
    ...(knownStep && { step: knownStep }),
  };
}
