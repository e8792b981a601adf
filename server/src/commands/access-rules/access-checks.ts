import type { AccessCheck, AccessDecision, AccessReason, CheckAccess } from '@gatehouse/contract';
import { WrongUsage } from '../../app/failure.ts';
import type { Addition } from '../api/addition.ts';
import { resolve } from '../api/references.ts';
import { gather } from '../shared/add-command.ts';
import { table } from '../shared/output.ts';

/** Checks of one visitor without JSON, and every decision with its reason. */
export const accessChecks: Addition = {
  example: '--path /courses/rowing --member ada@example.com',
  addOptions: (command) =>
    void command
      .option('--path <path>', 'a path to check, such as /courses/rowing; may be given several times', gather)
      .option('--member <member>', 'the email address or the ID of the member (default: not logged in)')
      .option('--page-code <code>', 'the label or the ID of a page code that was entered', gather),
  // Without any of both, the message names the path.
  isWhole: () => true,
  fieldsOf: async ({ options, api }, { checks }: Partial<CheckAccess>) => {
    const { path: paths, member, pageCode: codes } = options;
    if (paths === undefined && member === undefined && codes === undefined && checks) return {};
    if (paths === undefined)
      throw new WrongUsage('--path is missing: the path to check, such as --path /courses/rowing.');
    if (checks !== undefined) throw new WrongUsage('Use either --path, or checks as JSON.');
    const visitor =
      member === undefined ? {} : await visitorOf(member, (name) => resolve(api, 'memberId', name));
    const pageCodeIds =
      codes && (await Promise.all(codes.map((name: string) => resolve(api, 'pageCodeId', name))));
    return {
      checks: (paths as string[]).map((path) => ({ path, ...visitor, ...(codes && { pageCodeIds }) })),
    };
  },
  text: async (decisions: readonly AccessDecision[], { body }) => {
    const { checks } = body as CheckAccess;
    return table(
      ['PATH', 'MEMBER', 'ACCESS', 'WHY', 'RULE'],
      decisions.map(({ allowed, reason, rule }, index) => [
        checks[index]!.path,
        checks[index]!.email ?? checks[index]!.memberId ?? 'not logged in',
        allowed ? 'allowed' : 'denied',
        reasons[reason] ?? reason,
        rule && (rule.appliesTo === 'page' ? `${rule.path} (page)` : rule.path),
      ]),
    );
  },
};

/** An email address that nobody has is an answer of the check, and no mistake. */
async function visitorOf(
  member: string,
  find: (name: string) => Promise<string>,
): Promise<Pick<AccessCheck, 'email' | 'memberId'>> {
  return member.includes('@') ? { email: member } : { memberId: await find(member) };
}

const reasons: Readonly<Record<AccessReason, string>> = {
  public: 'everyone has access',
  member: 'is a member',
  paying_member: 'is a paying member',
  group_member: 'is in the groups of the rule',
  page_code: 'has entered a page code',
  condition_met: 'meets a condition of the rule',
  preflight: 'is a CORS preflight, which the rule allows',
  anonymous: 'is not logged in',
  blocked: 'is blocked',
  not_paying: 'is not a paying member',
  not_in_groups: 'is not in the groups of the rule',
  code_required: 'has not entered a page code',
  condition_not_met: 'meets no condition of the rule',
  ambiguous_path: 'programs may read this path in different ways',
  unknown_member: 'is not a member of the site',
  site_suspended: 'the site is suspended',
};
