import { Button, Menu } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconCheck, IconSelector } from '../icons/icons.ts';
import classes from './sectioned-page.module.css';

interface SectionedPageProps<Name extends string> {
  /** What all sections are about. */
  label: string;
  sections: readonly Section<Name>[];
  current: Name;
  toLink: (name: Name) => LinkProps;
  children: ReactNode;
}

interface Section<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

/** A page whose sections have their own URLs. Their list is beside the content, or a menu above it where there is no room. */
export function SectionedPage<Name extends string>(props: SectionedPageProps<Name>) {
  const { label, sections, current, toLink, children } = props;
  return (
    <div className={classes.columns}>
      <nav className={classes.list} aria-label={label}>
        {sections.map((section) => (
          <Link key={section.name} {...toLink(section.name)} className={classes.link}>
            {section.label}
          </Link>
        ))}
      </nav>
      <div className={classes.menu}>
        <SectionMenu {...props} />
      </div>
      {/* Each section begins anew. */}
      <div key={current} className={classes.content}>
        {children}
      </div>
    </div>
  );
}

function SectionMenu<Name extends string>(props: Omit<SectionedPageProps<Name>, 'children'>) {
  const { label, sections, current, toLink } = props;
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconSelector size={16} aria-hidden />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sections.map((section) => (
          <Menu.Item
            key={section.name}
            renderRoot={(root) => <Link {...toLink(section.name)} {...root} />}
            rightSection={section.name === current && <IconCheck size={16} aria-hidden />}
          >
            {section.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
