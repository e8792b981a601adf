import { Menu } from '@mantine/core';
import { useState } from 'react';
import { IconTable } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { type MembersSearch, unfiltered } from '../../../components/member-list/members-search.ts';
import { useMenuTarget } from '../../../hooks/use-menu-target.ts';
import { useUndoable } from '../../../hooks/use-undoable.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { SavedView } from '../../../session/dashboard-api.ts';
import { useSavedViews, useViewChanges } from './saved-views.ts';
import { ViewDialog } from './view-dialog.tsx';
import { readViewSearch, toViewSearch } from './view-search.ts';

interface ViewsMenuProps {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
}

const everything = { ...unfiltered, sort: undefined, order: undefined };

/** The saved views of the operator: the filters and the sorting of the list, by name. */
export function ViewsMenu({ search, change }: ViewsMenuProps) {
  const t = useTexts('members');
  const { data: views = [] } = useSavedViews();
  const now = toViewSearch(search);
  const active = views.find((view) => toViewSearch(readViewSearch(view.search)) === now);
  const [openedId, setOpenedId] = useState<string>();
  const opened = active ?? views.find(({ id }) => id === openedId);
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null);
  const menu = useMenuTarget();

  function open(view: SavedView | undefined): void {
    setOpenedId(view?.id);
    change({ ...everything, ...(view && readViewSearch(view.search)) });
  }

  return (
    <>
      <Menu width={260} position="bottom-end">
        <Menu.Target>
          <ActionButton
            ref={menu.target}
            size="xs"
            maw="14rem"
            icon={IconTable}
            label={active?.name ?? t('views')}
          />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={now === '' ? '' : (active?.id ?? null)}
            onChange={(chosen) => open(views.find(({ id }) => id === chosen))}
          >
            <Menu.RadioItem value="">{t('views.all')}</Menu.RadioItem>
            {views.map(({ id, name }) => (
              <Menu.RadioItem key={id} value={id}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <ViewActions
            opened={opened}
            isChanged={active === undefined && now !== ''}
            search={now}
            openDialog={(what) => menu.act(() => setNaming(what))()}
          />
        </Menu.Dropdown>
      </Menu>
      <ViewDialog
        opened={naming !== null}
        view={naming === 'rename' ? opened : undefined}
        search={now}
        onSaved={({ id }) => setOpenedId(id)}
        close={() => setNaming(null)}
      />
    </>
  );
}

interface ViewActionsProps {
  /** The view that was opened last. */
  opened: SavedView | undefined;
  /** Whether the list shows what no view has. */
  isChanged: boolean;
  search: string;
  openDialog: (what: 'new' | 'rename') => void;
}

/** Saves what the list shows, and changes the view that was opened. */
function ViewActions({ opened, isChanged, search, openDialog }: ViewActionsProps) {
  const t = useTexts('members');
  const { save, setSearch, remove } = useViewChanges();
  const change = useUndoable();
  const update = (view: SavedView) =>
    change({
      done: t('views.saved', { name: view.name }),
      send: () => setSearch(view, search),
      undo: () => setSearch(view, view.search),
      invalidates: [],
    });
  const removeView = (view: SavedView) =>
    change({
      done: t('views.deleted', { name: view.name }),
      send: () => remove(view),
      undo: () => save(view.name, view.search),
      invalidates: [],
    });
  if (!isChanged && !opened) return null;
  return (
    <>
      <Menu.Divider />
      {isChanged && <Menu.Item onClick={() => openDialog('new')}>{t('views.save')}</Menu.Item>}
      {isChanged && opened && (
        <Menu.Item onClick={() => void update(opened)}>{t('views.update', { name: opened.name })}</Menu.Item>
      )}
      {opened && <Menu.Item onClick={() => openDialog('rename')}>{t('views.rename')}</Menu.Item>}
      {opened && (
        <Menu.Item color="red" onClick={() => void removeView(opened)}>
          {t('views.delete')}
        </Menu.Item>
      )}
    </>
  );
}
