import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { KeyHint } from '../../components/keyboard/key-hint.tsx';
import { latePart } from '../../components/late-part.ts';
import { useTexts } from '../../languages/texts.tsx';
import { usePermissionsOn } from '../../session/use-permissions-on.ts';
import classes from './navigation.module.css';
import { navigation } from './navigation-items.ts';

/** Loaded after the first page. */
const PendingCount = latePart(async () => (await import('./pending-count.tsx')).PendingCount);

/** The pages of a site that the operator's role can use. */
export function Navigation({ site }: { site: string }) {
  const t = useTexts('shell');
  const permissions = usePermissionsOn(site);
  const groups = navigation
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ permission }) => permissions.includes(permission)),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <nav className={classes.navigation} aria-label={t('navigation')}>
      {groups.map(({ title, items }) => (
        <div key={title ?? ''}>
          {title && <p className={classes.title}>{t(title)}</p>}
          {items.map(({ name, to, keys, icon: Icon }) => (
            <Link
              key={name}
              to={to}
              params={{ site }}
              activeOptions={{ exact: to === '/$site' }}
              className={classes.link}
            >
              <Icon size={16} stroke={1.75} aria-hidden />
              <span className={classes.label}>{t(name)}</span>
              <span className={classes.keys}>
                <KeyHint keys={keys} />
              </span>
              {name === 'join-requests' && (
                <Suspense>
                  <PendingCount site={site} />
                </Suspense>
              )}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
