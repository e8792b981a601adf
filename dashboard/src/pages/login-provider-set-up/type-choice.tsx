import { Text } from '@mantine/core';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { providerTypeNames, providerTypes } from '../../components/login-providers/provider-types.ts';
import { useTexts } from '../../languages/texts.tsx';

/** The types of providers, each with the way to set one up. */
export function TypeChoice() {
  const t = useTexts('login');
  return (
    <List label={t('types')}>
      {providerTypeNames.map((type) => {
        const { icon: Icon } = providerTypes[type];
        return (
          <ListRow
            key={type}
            isTall
            leading={<Icon size={20} stroke={1.6} aria-hidden />}
            trailing={
              <LinkButton
                variant="default"
                size="xs"
                from="/$site"
                to="/$site/settings/login/new"
                search={{ type }}
                aria-label={t('setUpType', { type: t(`type.${type}`) })}
              >
                {t('setUp')}
              </LinkButton>
            }
          >
            <Text fw={500}>{t(`type.${type}`)}</Text>
            <Hint>{t(`typeHelp.${type}`)}</Hint>
          </ListRow>
        );
      })}
    </List>
  );
}
