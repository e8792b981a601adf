import { type ConnectedType, isConnected, sourceTypeNames } from '@gatehouse/contract/source-types';
import { Button, Text } from '@mantine/core';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { typeIcons } from '../../components/sources/kinds.ts';
import { useTexts } from '../../languages/texts.tsx';

/** The kinds of sources, each with the way to connect one. */
export function KindChoice() {
  const t = useTexts('sources');
  return (
    <List label={t('kinds')}>
      {sourceTypeNames.map((type) => {
        const Icon = typeIcons[type];
        return (
          <ListRow
            key={type}
            isTall
            leading={<Icon size={20} stroke={1.6} aria-hidden />}
            trailing={isConnected(type) ? <SetUpButton type={type} /> : <GuideButton />}
          >
            <Text fw={500}>{t(`kind.${type}`)}</Text>
            <Hint>{t(`kindText.${type}`)}</Hint>
          </ListRow>
        );
      })}
    </List>
  );
}

function SetUpButton({ type }: { type: ConnectedType }) {
  const t = useTexts('sources');
  return (
    <LinkButton variant="default" size="xs" from="/$site" to="/$site/sources/set-up" search={{ type }}>
      {t(`connect.${type}`)}
    </LinkButton>
  );
}

function GuideButton() {
  const t = useTexts('sources');
  return (
    <Button variant="default" size="xs" renderRoot={(props) => <a href="/docs" target="_blank" {...props} />}>
      {t('connect.program')}
    </Button>
  );
}
