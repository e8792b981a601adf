import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  /** A link back to the parent list. */
  back?: ReactNode;
  /** Leads to the next and the previous page of that list, opposite the link back to it. */
  neighbors?: ReactNode;
  /** A picture of what the page is about, such as the initials of a person. */
  picture?: ReactNode;
  /** The state of what the page is about, beside its name. */
  state?: ReactNode;
  /** The actions of the page, the most important one last. */
  actions?: ReactNode;
}

/** The header of every page: its title, which is also the window title, and its actions. */
export function PageHeader(props: PageHeaderProps) {
  const { title, description, back, neighbors, picture, state, actions } = props;
  return (
    <header className={classes.header}>
      <title>{`${title} · Gatehouse`}</title>
      {(back || neighbors) && (
        <div className={classes.above}>
          {back}
          {neighbors}
        </div>
      )}
      <div className={classes.main}>
        <div className={classes.about}>
          {picture}
          <div className={classes.texts}>
            <div className={classes.name}>
              <Title order={1} size="h2">
                {title}
              </Title>
              {state}
            </div>
            {description && (
              <Text c="dimmed" component="div">
                {description}
              </Text>
            )}
          </div>
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </header>
  );
}
