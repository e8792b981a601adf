import { Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { IconAlertTriangle, IconRefresh, IconWifiOff, IconWorld } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { knownTimeZone } from '../../format/time-zone.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMe } from '../../session/me.ts';
import classes from './banners.module.css';

/** Notices that are shown on every page. */
export function Banners() {
  const t = useTexts('shell');
  const { online } = useNetwork();
  const updated = useIsUpdated();
  const unknownTimeZone = useUnknownTimeZone();
  const { version, newerVersion } = useMe();
  return (
    <div role="status">
      {!online && (
        <Banner icon={<IconWifiOff size={18} aria-hidden />}>
          <Text>{t('offline')}</Text>
        </Banner>
      )}
      {updated && (
        <Banner icon={<IconRefresh size={18} aria-hidden />}>
          <Text>{t('updated')}</Text>
          <ActionButton label={t('reload')} size="compact-sm" onClick={() => location.reload()} />
        </Banner>
      )}
      {newerVersion !== null && (
        <Banner icon={<IconAlertTriangle size={18} aria-hidden />}>
          <Text>{t('newerVersion', { newer: newerVersion, version })}</Text>
        </Banner>
      )}
      {unknownTimeZone !== undefined && (
        <Banner icon={<IconWorld size={18} aria-hidden />}>
          <Text>{t('unknownTimeZone', { zone: unknownTimeZone })}</Text>
        </Banner>
      )}
    </div>
  );
}

function Banner({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Group className={classes.banner} gap="sm" justify="center" px="md" py="xs">
      {icon}
      {children}
    </Group>
  );
}

/** The time zone of the site, if this browser does not know it. */
function useUnknownTimeZone(): string | undefined {
  const { sites } = useMe();
  const { site: slug } = useParams({ strict: false });
  const timeZone = sites.find((site) => site.slug === slug)?.timeZone;
  return timeZone === undefined || knownTimeZone(timeZone) === timeZone ? undefined : timeZone;
}

/** Whether the server runs another version than the one that delivered this page. */
function useIsUpdated(): boolean {
  const { version, commit } = useMe();
  const [first] = useState({ version, commit });
  const [filesGone, setFilesGone] = useState(false);
  useEffect(() => {
    // Offline, a failed download does not mean that the files were removed. They are fetched again later.
    const note = () => navigator.onLine && setFilesGone(true);
    window.addEventListener('vite:preloadError', note);
    return () => window.removeEventListener('vite:preloadError', note);
  }, []);
  return version !== first.version || commit !== first.commit || filesGone;
}
