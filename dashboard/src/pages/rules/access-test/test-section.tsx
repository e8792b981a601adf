import type { AccessCheck, AccessDecision, AccessRule } from '@gatehouse/client';
import { maxRequestPathLength } from '@gatehouse/contract/rule-paths';
import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DecisionNote } from '../../../components/access/decision-note.tsx';
import { useTypedUrl } from '../../../components/access/use-typed-url.ts';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { Card } from '../../../components/layout/card.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { MemberPicker } from '../../../components/members/member-picker.tsx';
import { onPasteUrl, toUrl } from '../../../format/addresses/pasted-url.ts';
import type { SiteTarget } from '../../../format/addresses/site-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useDecision } from '../../../queries/access/decision.ts';
import { useHosts } from '../../../queries/saved-site.ts';
import { isAddress } from '../conditions/network.ts';
import { CodesChoice } from '../dialog/codes-field.tsx';
import { PageFiles } from '../page-files/page-files.tsx';
import type { RuleEditor } from '../rule-editor.ts';
import type { AccessTest } from './access-test.ts';

interface TestSectionProps {
  test: AccessTest;
  editor: RuleEditor;
  /** The paths of protected pages that a program may show at other addresses. */
  belowPublicRoot: readonly string[];
}

/** Tests the access to any path, for any member or for a visitor who is not logged in, also by rules that are not saved. */
export function TestSection({ test, editor, belowPublicRoot }: TestSectionProps) {
  const t = useTexts('rules');
  const { target, fault } = useTarget(test);
  const unsavedRules = editor.unsaved ? editor.rules : undefined;
  const { data, error, refetch } = useDecision(target && toCheck(test, target), unsavedRules);
  return (
    <Card title={t('tryTitle')} description={t(unsavedRules ? 'tryUnsaved' : 'tryHelp')}>
      <Stack gap="sm">
        <PathField test={test} fault={fault} />
        <HostField test={test} />
        <VisitorFields test={test} rules={editor.rules ?? []} />
        <CircumstanceFields test={test} decision={data} />
        <div aria-live="polite">
          {error && <ErrorNote error={error} retry={refetch} />}
          {data && !error && (
            <DecisionNote
              decision={data}
              memberId={test.fields.preflight ? undefined : test.memberId}
              linksToMember
              // By rules that are not saved, the member may be denied what is allowed now.
              isRepairable={!unsavedRules}
            />
          )}
          {data?.rule && !error && belowPublicRoot.includes(data.rule.path) && (
            <Hint>{t.rich('publicRoot.tried', { root: <code>/</code> })}</Hint>
          )}
        </div>
        {target && data?.reason === 'public' && (
          <PageFiles
            target={target}
            rule={data.rule}
            isRequested={test.fields.checkedPage === target.path}
            request={() => test.set({ checkedPage: target.path })}
            editor={editor}
          />
        )}
      </Stack>
    </Card>
  );
}

/** What is tested, or why nothing can be. A path is one of the chosen host. */
function useTarget({ fields: { typed, host } }: AccessTest): { target?: SiteTarget; fault?: string } {
  const { target, ...problem } = useTypedUrl(typed);
  return target ? { target: { path: target.path, host: target.host ?? host ?? undefined } } : problem;
}

function toCheck({ fields, memberId }: AccessTest, target: SiteTarget): AccessCheck {
  const { preflight, pageCodeIds } = fields;
  // The service rejects an address that is not complete.
  const ipAddress = isAddress(fields.ipAddress.trim()) ? fields.ipAddress.trim() : undefined;
  if (preflight) return { ...target, ipAddress, preflight };
  return { ...target, ipAddress, memberId, ...(pageCodeIds.length > 0 && { pageCodeIds }) };
}

function PathField({ test, fault }: { test: AccessTest; fault: string | undefined }) {
  const t = useTexts('rules');
  return (
    <TextInput
      ref={test.path}
      label={t('pathOrUrl')}
      value={test.fields.typed}
      onChange={(event) => test.set({ typed: event.currentTarget.value })}
      onPaste={onPasteUrl(({ href }) => test.set({ typed: href }))}
      error={fault}
      maxLength={maxRequestPathLength}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}

/** The host of a path. A URL has its own. */
function HostField({ test }: { test: AccessTest }) {
  const t = useTexts('rules');
  const hosts = useHosts();
  if (hosts.length < 2 || toUrl(test.fields.typed)) return null;
  return (
    <Select
      label={t('host')}
      data={hosts}
      value={test.fields.host ?? hosts[0]!}
      onChange={(host) => test.set({ host })}
      allowDeselect={false}
    />
  );
}

/** The visitor, or a preflight, which has none. */
function VisitorFields({ test, rules }: { test: AccessTest; rules: readonly AccessRule[] }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const { preflight } = test.fields;
  return (
    <>
      {!preflight && (
        <MemberPicker
          label={t('who')}
          placeholder={access('reason.anonymous')}
          nothingFound={t('noMemberFound')}
          member={test.member}
          choose={(member) => test.set({ member })}
        />
      )}
      {(preflight || rules.some(({ preflights }) => preflights)) && (
        <Checkbox
          label={t('tryPreflight')}
          description={t('tryPreflightHelp')}
          checked={preflight}
          onChange={(event) => test.set({ preflight: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

/** What else the decision depends on, if the rule does. */
function CircumstanceFields({ test, decision }: { test: AccessTest; decision: AccessDecision | undefined }) {
  const t = useTexts('rules');
  const needsCodes = useRemaining(decision && dependsOnCodes(decision));
  const needsAddress = useRemaining(decision && dependsOnNetwork(decision));
  return (
    <>
      {needsCodes && (
        <CodesChoice
          label={t('enteredCodes')}
          description={t('enteredCodesHelp')}
          value={test.fields.pageCodeIds}
          onChange={(pageCodeIds) => test.set({ pageCodeIds })}
        />
      )}
      {needsAddress && (
        <TextInput
          label={t('address')}
          description={t('addressHelp')}
          value={test.fields.ipAddress}
          onChange={(event) => test.set({ ipAddress: event.currentTarget.value })}
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
    </>
  );
}

/** Whether a field is needed. It remains while the next decision is loading, so that it keeps the focus. */
function useRemaining(isNeeded: boolean | undefined): boolean {
  const [isShown, setShown] = useState(false);
  if (isNeeded !== undefined && isShown !== isNeeded) setShown(isNeeded);
  return isShown;
}

function dependsOnCodes({ rule }: AccessDecision): boolean {
  if (rule?.access === 'code') return true;
  return rule?.access === 'conditional' && rule.anyOf.some(({ access }) => access === 'code');
}

function dependsOnNetwork({ rule }: AccessDecision): boolean {
  return rule?.access === 'conditional' && rule.anyOf.some(({ networks }) => networks !== undefined);
}
