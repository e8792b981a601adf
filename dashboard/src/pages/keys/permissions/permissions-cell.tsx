import type { ApiKey, Permission } from '@gatehouse/client';
import { DataCell } from '../../../components/tables/data-table.tsx';
import { locale } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { extrasOf, type Level, levelOf, type PermissionArea, permissionAreas, summaryOf } from './areas.ts';
import { useAreaName } from './use-area-name.ts';

const lists = new Intl.ListFormat(locale, { type: 'unit' });

/** What a key may change and view, and its rate limit if that is not the default. The names of the API are shown on hover. */
export function PermissionsCell({ apiKey: { permissions, rateLimit } }: { apiKey: ApiKey }) {
  const t = useTexts('keys');
  const chosen = useChosen(permissions);
  const summary = summaryOf(permissions);
  const limit = rateLimit === 0 ? t('unlimited') : t('limited', { count: rateLimit ?? 0 });
  const facts = [...(summary === 'chosen' ? chosen : [t(summary)]), ...(rateLimit === null ? [] : [limit])];
  return (
    <DataCell quiet wraps title={permissions.join(', ')}>
      {facts.join(' · ')}
    </DataCell>
  );
}

const hasLevels = ({ read }: PermissionArea) => read !== undefined;
/** First what lets a program log in as any member. */
const ordered = permissionAreas.toSorted((one, other) => Number(hasLevels(one)) - Number(hasLevels(other)));

/** What is allowed in an area. One without levels of its own can be changed or not. */
function shownLevel(area: PermissionArea, granted: readonly Permission[]): Level {
  if (hasLevels(area)) return levelOf(area, granted);
  return area.more?.some((each) => granted.includes(each)) ? 'write' : 'none';
}

/** The areas that can be changed, those that can only be viewed, and what else is allowed. */
function useChosen(permissions: ApiKey['permissions']): string[] {
  const t = useTexts('keys');
  const areaName = useAreaName();
  const levels = (['write', 'read'] as const).flatMap((level) => {
    const areas = ordered.filter((area) => shownLevel(area, permissions) === level);
    if (areas.length === 0) return [];
    return [t(`areas.${level}`, { areas: lists.format(areas.map(({ name }) => areaName(name))) })];
  });
  const extras = permissionAreas
    .filter(hasLevels)
    .flatMap((area) => extrasOf(area, levelOf(area, permissions)))
    .filter((extra) => permissions.includes(extra));
  return [...levels, ...extras.map((extra) => t(`permission.${extra}`))];
}
