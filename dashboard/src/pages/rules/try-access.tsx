import type { AccessDecision, AccessRule } from '@gatehouse/client';
import { maxRequestPathLength } from '@gatehouse/contract/rule-paths';
import { Alert, Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AlternativeText } from '../../components/access/alternative-text.tsx';
import { DecisionReason, resultOf } from '../../components/access/decision-reason.tsx';
import { type RuleNames, useRuleNames } from '../../components/access/rule-names.ts';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconCheck, IconLock, IconLockOpen2, IconX } from '../../components/icons/icons.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { MemberPicker, type PickedMember } from '../../components/members/member-picker.tsx';
import { onPasteUrl } from '../../format/addresses/pasted-url.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useHosts } from '../../queries/saved-site.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import classes from './conditions/alternatives.module.css';
import { isAddress } from './conditions/network.ts';
import { CodesChoice } from './dialog/codes-field.tsx';

const typingMilliseconds = 250;

interface TryAccessProps {
  unsaved: boolean;
  /** The paths of protected pages that a program may show at other addresses. */
  belowPublicRoot: readonly string[];
}

/** Checks the access to any path, for any member or for a visitor who is not logged in. */
export function TryAccess({ unsaved, belowPublicRoot }: TryAccessProps) {
  const t = useTexts('rules');
  const [path, setPath] = useState('/');
  const [member, setMember] = useState<PickedMember | null>(null);
  const [address, setAddress] = useState('');
  const [host, setHost] = useState<string | null>(null);
  const [preflight, setPreflight] = useState(false);
  const [codes, setCodes] = useState<string[]>([]);
  const typedAddress = address.trim();
  const circumstances = { member, typedAddress, host, preflight, codes };
  const { data, error, refetch } = useDecision(path.trim(), circumstances);
  const needsAddress = useRemaining(data && dependsOnNetwork(data));
  const needsCodes = useRemaining(data && dependsOnCodes(data));
  return (
    <Section title={t('tryTitle')} description={t('tryHelp')}>
      <Stack gap="sm">
        <TextInput
          label={t('path')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          onPaste={onPasteUrl(({ pathname }) => setPath(pathname))}
          error={!path.trim().startsWith('/') && t('fault.slash')}
          maxLength={maxRequestPathLength}
          autoCapitalize="off"
          spellCheck={false}
        />
        <HostField host={host} setHost={setHost} />
        <WhoFields member={member} setMember={setMember} preflight={preflight} setPreflight={setPreflight} />
        {needsCodes && (
          <CodesChoice
            label={t('enteredCodes')}
            description={t('enteredCodesHelp')}
            value={codes}
            onChange={setCodes}
          />
        )}
        {needsAddress && (
          <TextInput
            label={t('address')}
            description={t('addressHelp')}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
        <div aria-live="polite">
          {error && <ErrorNote error={error} retry={refetch} />}
          {data && !error && <Decision decision={data} />}
          {data?.rule && belowPublicRoot.includes(data.rule.path) && (
            <Text size="sm" mt="xs">
              {t.rich('publicRoot.tried', { root: <code>/</code> })}
            </Text>
          )}
        </div>
        {unsaved && <Hint size="xs">{t('tryUnsaved')}</Hint>}
      </Stack>
    </Section>
  );
}

interface WhoFieldsProps {
  member: PickedMember | null;
  setMember: (member: PickedMember | null) => void;
  preflight: boolean;
  setPreflight: (preflight: boolean) => void;
}

/** The visitor, or a preflight, which has none. */
function WhoFields({ member, setMember, preflight, setPreflight }: WhoFieldsProps) {
  const t = useTexts('rules');
  return (
    <>
      {!preflight && (
        <MemberPicker
          label={t('who')}
          description={t('whoHelp')}
          placeholder={t('anonymous')}
          nothingFound={t('noMemberFound')}
          member={member}
          choose={setMember}
        />
      )}
      <Checkbox
        label={t('tryPreflight')}
        description={t('tryPreflightHelp')}
        checked={preflight}
        onChange={(event) => setPreflight(event.currentTarget.checked)}
      />
    </>
  );
}

interface HostFieldProps {
  /** Null for the primary host. */
  host: string | null;
  setHost: (host: string | null) => void;
}

function HostField({ host, setHost }: HostFieldProps) {
  const t = useTexts('rules');
  const hosts = useHosts();
  if (hosts.length < 2) return null;
  return (
    <Select
      label={t('host')}
      data={hosts}
      value={host ?? hosts[0]!}
      onChange={setHost}
      allowDeselect={false}
    />
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

function Decision({ decision }: { decision: AccessDecision }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const names = useRuleNames();
  const { allowed, reason, rule, alternatives } = decision;
  const Icon = allowed ? IconLockOpen2 : IconLock;
  const withoutRule = rule === null && (reason === 'member' || reason === 'anonymous');
  return (
    <Alert
      variant="light"
      color={allowed ? 'teal' : 'red'}
      icon={<Icon aria-hidden />}
      title={access(allowed ? 'allowed' : 'denied')}
    >
      <Text size="sm" fw={600}>
        <DecisionReason decision={decision} names={names} />
      </Text>
      {reason === 'ambiguous_path' && t('ambiguousPath')}
      {rule &&
        t.rich(rule.appliesTo === 'page' ? 'decidedByPage' : 'decidedBy', {
          path: <code>{rule.path}</code>,
        })}{' '}
      {rule?.programPaths && t('decidedForProgram')}
      {withoutRule && t('noRule')}
      {rule?.access === 'conditional' && alternatives && (
        <AlternativeResults rule={rule} results={alternatives} names={names} />
      )}
    </Alert>
  );
}

interface AlternativeResultsProps {
  rule: Extract<AccessRule, { access: 'conditional' }>;
  results: NonNullable<AccessDecision['alternatives']>;
  names: RuleNames;
}

/** What decided about each alternative of a rule. */
function AlternativeResults({ rule, results, names }: AlternativeResultsProps) {
  const t = useTexts('access');
  return (
    <ul className={classes.results} aria-label={t('conditional')}>
      {rule.anyOf.map((alternative, index) => {
        const Icon = results[index] === 'met' ? IconCheck : IconX;
        return (
          <li key={index}>
            <Icon size={16} aria-hidden />
            <div>
              <AlternativeText alternative={alternative} names={names} />
              <Text fw={600} size="sm">
                {resultOf(t, alternative, results[index]!, names)}
              </Text>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

interface Circumstances {
  member: PickedMember | null;
  typedAddress: string;
  /** Null for the primary host. */
  host: string | null;
  /** Whether a CORS preflight is checked, which has no member. */
  preflight: boolean;
  /** The page codes that the visitor has entered. */
  codes: readonly string[];
}

function useDecision(typed: string, { member, typedAddress, host, preflight, codes }: Circumstances) {
  const { gatehouse, keys } = useSiteApi();
  const [path] = useDebouncedValue(typed, typingMilliseconds);
  const enabled = path.startsWith('/');
  // The service rejects an address that is not complete.
  const ipAddress = isAddress(typedAddress) ? typedAddress : undefined;
  const who = preflight ? { preflight } : { memberId: member?.id };
  const entered = !preflight && codes.length > 0 && { pageCodeIds: [...codes] };
  const check = { ...who, ...entered, path, ipAddress, host: host ?? undefined };
  const { data, error, refetch } = useQuery({
    queryKey: keys.rules.decision(check),
    queryFn: async ({ signal }) => {
      const [decision] = await gatehouse.access.check([check], { signal });
      return decision!;
    },
    enabled,
    staleTime: 0,
  });
  // A result for another path must not be shown for this one.
  return path === typed ? { data, error, refetch } : { data: undefined, error: null, refetch };
}
