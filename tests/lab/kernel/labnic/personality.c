// SPDX-License-Identifier: GPL-2.0
/* The NIC families the lab can play, and what they share to build their trees of attributes. */
#include "labnic.h"

static const struct labnic_personality *const personalities[] = { &labnic_mlx5_ofed };

const struct labnic_personality *labnic_find_personality(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(personalities); i++)
		if (!strcmp(personalities[i]->name, name))
			return personalities[i];
	return NULL;
}

struct kobject *labnic_add_folder(struct labnic *nic, const char *name, struct kobject *parent)
{
	struct kobject *folder;

	if (!parent || nic->folder_count == LABNIC_MAX_FOLDERS)
		return NULL;
	folder = kobject_create_and_add(name, parent);
	if (folder)
		nic->folders[nic->folder_count++] = folder;
	return folder;
}

static ssize_t number_show(struct kobject *folder, struct kobj_attribute *attribute, char *to)
{
	return sysfs_emit(to, "%u\n", container_of(attribute, struct labnic_number, attribute)->value);
}

static ssize_t number_store(struct kobject *folder, struct kobj_attribute *attribute, const char *from, size_t count)
{
	struct labnic_number *number = container_of(attribute, struct labnic_number, attribute);
	u32 value;
	int err = kstrtou32(from, 0, &value);

	if (err)
		return err;
	if (value < number->min || value > number->max)
		return -EINVAL;
	number->value = value;
	return count;
}

int labnic_add_number(struct labnic *nic, struct kobject *folder, const char *name, u32 value, u32 min, u32 max)
{
	struct labnic_number *number;

	if (!folder || nic->number_count == LABNIC_MAX_NUMBERS)
		return -ENOMEM;
	number = &nic->numbers[nic->number_count++];
	strscpy(number->name, name, sizeof(number->name));
	number->value = value;
	number->min = min;
	number->max = max;
	sysfs_attr_init(&number->attribute.attr);
	number->attribute.attr.name = number->name;
	number->attribute.attr.mode = 0644;
	number->attribute.show = number_show;
	number->attribute.store = number_store;
	return sysfs_create_file(folder, &number->attribute.attr);
}

/* Inner folders were added last. */
void labnic_remove_attributes(struct labnic *nic)
{
	while (nic->folder_count)
		kobject_put(nic->folders[--nic->folder_count]);
}
