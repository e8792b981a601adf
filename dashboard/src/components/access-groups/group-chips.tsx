import { VisuallyHidden } from '@mantine/core';
import { endsSoon, endText } from '../../format/ends.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import classes from './group-chips.module.css';
import { MoreGroups } from './more-groups.tsx';

interface GroupChip {
  readonly id: string;
  readonly name: string;
  /** The end of the membership, if it has one. RFC 3339. */
  readonly expiresAt?: string | null;
}

interface GroupChipsProps {
  groups: readonly GroupChip[];
  /** How many are shown, each in at most its share of the width. A button names the others. All, if left out. */
  shown?: number;
  /** The end of a membership in words that are shown beside its group. */
  end?: ((expiresAt: string) => string) | undefined;
}

/** Access groups in one line. A membership that ends soon is amber. */
export function GroupChips({ groups, shown, end }: GroupChipsProps) {
  const rest = groups.slice(shown ?? groups.length);
  if (groups.length === 0) return null;
  return (
    <span className={classes.chips} data-wraps={shown === undefined}>
      {groups.slice(0, shown).map((group) => (
        <Chip key={group.id} group={group} end={end} />
      ))}
      {rest.length > 0 && <MoreGroups groups={rest} />}
    </span>
  );
}

function Chip({
  group: { name, expiresAt = null },
  end,
}: { group: GroupChip } & Pick<GroupChipsProps, 'end'>) {
  const t = useTexts('common');
  const { timeZone } = useSite();
  if (expiresAt === null)
    return (
      <span className={classes.chip} title={name}>
        {name}
      </span>
    );
  const isSoon = endsSoon(expiresAt, new Date());
  const until = t('groupUntil', { group: name, day: endText(expiresAt, timeZone) });
  return (
    <span className={classes.chip} data-soon={isSoon || undefined} title={until}>
      {end ? <NameWithEnd name={name} end={end(expiresAt)} /> : name}
      {isSoon && <VisuallyHidden> {t('endsSoon')}</VisuallyHidden>}
    </span>
  );
}

/** A long name is cut off, the end is not. */
function NameWithEnd({ name, end }: { name: string; end: string }) {
  return (
    <span className={classes.ending}>
      <span className={classes.name}>{name}</span>
      <span className={classes.end}>&nbsp;· {end}</span>
    </span>
  );
}
