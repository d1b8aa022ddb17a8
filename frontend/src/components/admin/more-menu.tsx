import { Button } from '@digdir/designsystemet-react';
import { MenuElipsisHorizontalIcon } from '@navikt/aksel-icons';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './more-menu.module.css';

type MoreMenuProps = {
  /** What the menu is for, such as "Actions for kari@example.no". */
  label: string;
  /** Buttons; a click on one closes the menu. */
  children: ReactNode;
};

/** A "⋯" button with a menu of actions. It closes by Escape, a click elsewhere, or an action. */
export function MoreMenu({ label, children }: MoreMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  // In the top layer, so that no table cuts it off; below the button, or above it at the end of the screen. Its right
  // edge is the button's, unless it would leave the screen there.
  function place() {
    if (!button.current || !menu.current) return;
    const { top, bottom, left, right } = button.current.getBoundingClientRect();
    const { height, width } = menu.current.getBoundingClientRect();
    const isAbove = bottom + height > window.innerHeight && top > height;
    menu.current.style.insetBlockStart = `${isAbove ? top - height : bottom}px`;
    const start = right >= width ? right - width : left;
    menu.current.style.insetInlineStart = `${Math.max(0, Math.min(start, window.innerWidth - width))}px`;
  }

  useEffect(() => {
    const element = menu.current;
    const close = () => element?.hidePopover();
    element?.addEventListener('click', close);
    return () => element?.removeEventListener('click', close);
  }, []);

  return (
    <>
      <Button
        ref={button}
        type="button"
        icon
        data-size="sm"
        variant="tertiary"
        aria-label={label}
        popoverTarget={id}
      >
        <MenuElipsisHorizontalIcon aria-hidden />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className={styles.menu}
        onToggle={place}
      >
        {children}
      </div>
    </>
  );
}
