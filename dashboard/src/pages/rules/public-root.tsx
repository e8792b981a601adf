import type { AccessRule } from '@gatehouse/client';
import { protectedBelowPublicRoot } from '@gatehouse/contract/rule-paths';
import { Stack, Text } from '@mantine/core';
import { Fragment, useMemo, useState } from 'react';
import { Notice } from '../../components/feedback/notice.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMe } from '../../session/me.ts';
import { useSite } from '../../session/site.ts';

const maxShown = 5;

/** The paths of protected pages that a program may show at other addresses; none if the pages are files. */
export function usePathsBelowPublicRoot(rules: readonly AccessRule[] | undefined): readonly string[] {
  const { folderSiteId } = useMe();
  const { id } = useSite();
  return useMemo(
    () => (folderSiteId === id ? [] : protectedBelowPublicRoot(rules ?? [])),
    [rules, folderSiteId, id],
  );
}

/** Warns that everyone may see protected pages of a program. An operator whose site is a folder of files can hide it in this browser. */
export function PublicRootNote({ paths }: { paths: readonly string[] }) {
  const t = useTexts('rules');
  const { id } = useSite();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(storageName(id)) !== null);
  if (paths.length === 0 || isHidden) return null;

  function hide(): void {
    localStorage.setItem(storageName(id), 'files');
    setHidden(true);
  }

  return (
    <Notice state="attention" title={t('publicRoot.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t.rich('publicRoot.text', {
            root: <code>/</code>,
            example: <code>/blog</code>,
            paths: <PathList paths={paths} />,
          })}
        </Text>
        <ActionButton label={t('publicRoot.files')} size="compact-sm" onClick={hide} />
      </Stack>
    </Notice>
  );
}

function PathList({ paths }: { paths: readonly string[] }) {
  const shown = paths.slice(0, maxShown);
  return (
    <>
      {shown.map((path, index) => (
        <Fragment key={path}>
          {index > 0 && ', '}
          <code>{path}</code>
        </Fragment>
      ))}
      {paths.length > maxShown && ', …'}
    </>
  );
}

function storageName(siteId: string): string {
  return `gatehouse-files-${siteId}`;
}
