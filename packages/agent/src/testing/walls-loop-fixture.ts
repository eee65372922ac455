/** Never ends. For a test of who ends it. */
for (;;);
