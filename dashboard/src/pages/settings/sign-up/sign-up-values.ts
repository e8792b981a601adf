import type { Site } from '@gatehouse/client';
import { displayDomain, toAsciiDomain } from '../../../format/addresses/domain.ts';
import { changedFields, type FormSection } from '../form/form-section.ts';

export interface SignUpValues {
  policy: Site['signUp']['policy'];
  domains: SignUpDomain[];
  allowsAccessRequests: boolean;
}

export interface SignUpDomain {
  /** Identifies the row, independent of its content. */
  key: string;
  domain: string;
  accessGroupIds: string[];
}

export const signUpSection: FormSection<SignUpValues> = {
  fields: ['signUp', 'allowsAccessRequests'],
  toValues,
  toChanges: (site, values) => changedFields(toFields(toValues(site)), toFields(values)),
  validate: (t) => ({
    domains: {
      domain: (domain, values) =>
        hasDomains(values) && domain.trim() === '' ? t('emailDomainMissing') : null,
    },
  }),
  fieldOf: (pointer) => {
    const [first, second, index, field = 'domain'] = pointer.slice(1).split('/');
    if (first !== 'signUp') return first!;
    return second === 'domains' && index ? `domains.${index}.${field}` : 'policy';
  },
};

/** Whether people with certain email domains sign up by themselves. */
export function hasDomains({ policy }: Pick<SignUpValues, 'policy'>): boolean {
  return policy === 'allowed_domains' || policy === 'approval';
}

function toValues({ signUp, allowsAccessRequests }: Site): SignUpValues {
  return {
    policy: signUp.policy,
    domains: signUp.domains.map((each) => ({
      ...each,
      domain: displayDomain(each.domain),
      key: each.domain,
    })),
    allowsAccessRequests,
  };
}

function toFields(values: SignUpValues) {
  return {
    signUp: {
      policy: values.policy,
      domains: values.domains
        .map(({ domain, accessGroupIds }) => ({ domain: toAsciiDomain(domain), accessGroupIds }))
        // An incomplete row is not visible with another policy.
        .filter(({ domain }) => domain !== '' || hasDomains(values)),
    },
    allowsAccessRequests: values.allowsAccessRequests,
  };
}
