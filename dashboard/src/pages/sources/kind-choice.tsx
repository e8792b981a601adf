import { type ConnectedType, isConnected, sourceTypeNames } from '@gatehouse/contract/source-types';
import { Button, ThemeIcon, Title } from '@mantine/core';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { typeIcons } from '../../components/sources/kinds.ts';
import { useTexts } from '../../languages/texts.tsx';
import classes from './sources.module.css';

/** The kinds of sources, each with the way to connect one. */
export function KindChoice() {
  const t = useTexts('sources');
  return (
    <ul className={classes.kinds} aria-label={t('kinds')}>
      {sourceTypeNames.map((type) => {
        const Icon = typeIcons[type];
        return (
          <li key={type} className={classes.kind}>
            <ThemeIcon variant="light" size={36} radius="md" aria-hidden>
              <Icon size={20} stroke={1.6} />
            </ThemeIcon>
            <Title order={3} size="h4">
              {t(`kind.${type}`)}
            </Title>
            <Hint>{t(`kindText.${type}`)}</Hint>
            {isConnected(type) ? <SetUpButton type={type} /> : <GuideButton />}
          </li>
        );
      })}
    </ul>
  );
}

function SetUpButton({ type }: { type: ConnectedType }) {
  const t = useTexts('sources');
  return (
    <LinkButton from="/$site" to="/$site/sources/set-up" search={{ type }}>
      {t(`connect.${type}`)}
    </LinkButton>
  );
}

function GuideButton() {
  const t = useTexts('sources');
  return (
    <Button variant="default" renderRoot={(props) => <a href="/docs" target="_blank" {...props} />}>
      {t('connect.program')}
    </Button>
  );
}
